# cmake -DNAME=symbol -DINPUT=file.gp -DOUTPUT=file.c -P embed.cmake
# Writes OUTPUT: a C file with INPUT's text as `const char NAME[]`, so that the installed
# program needs no data files.
file(READ ${INPUT} text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] =\n    \"${text}\";\n")
