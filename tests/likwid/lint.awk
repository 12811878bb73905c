# SPDX-License-Identifier: MIT
#
# Holds counter groups to likwid's file format and to our own rules:
#   awk -f lint.awk events.txt GROUPS/ARCHITECTURE/NAME.txt...
# Prints what is wrong as "file:line: what"; ends with 1 when something is.

function wrong(text) { printf "%s:%d: %s\n", file, line, text; failed = 1 }

# Versions as numbers that compare: 5.2.2 is 50202.
function number(version,    part) {
    split(version, part, ".")
    return part[1] * 10000 + part[2] * 100 + part[3]
}

function begin_group(    part, parts) {
    finish_group()
    file = FILENAME
    parts = split(file, part, "/")
    architecture = part[parts - 1]
    name = part[parts]
    sub(/\.txt$/, "", name)
    seen[architecture, name] = 1
    section = ""
    blank = 0
    needed = 0
    stated = ""
    long = ""
    headings = ""
    split("", event_of)
    split("", used)
    split("", metric_seen)
    split("", event_seen)
    line = 1
    if (name !~ /^RP_[A-Z0-9_]+$/) wrong("a group is named RP_ and capitals, digits or _")
    if (!(architecture in known)) wrong("events.txt knows no event of " architecture)
}

# What can only be said when the whole file is read.
function finish_group(    counter, event) {
    if (file == "") return
    if (section != "LONG") {
        wrong("no LONG behind SHORT, EVENTSET and METRICS")
        return
    }
    for (counter in event_of) {
        event = event_of[counter]
        if (!(counter in used) && event != "MERGE") wrong(counter " is in no formula")
        if (index(formulas, " " event " ") == 0) wrong("Formulas: does not name " event)
        if (event == "MERGE") check_merge(counter)
    }
    if (!("Cycles per instruction" in metric_seen)) wrong("no cycles and instructions")
    if (headings != " Meaning: Formulas: Likwid: Blind to: Tested:")
        wrong("LONG has the parts" headings)
    if (tested !~ /^(Never run|Run) on metal/)
        wrong("Tested: begins with \"Never run on metal\" or \"Run on metal\"")
    if (stated == "") wrong("Likwid: has no line for " architecture)
    else if (number(stated) != needed)
        wrong("Likwid: says " stated ", the newest of its events is of " newest)
}

# A wide count takes the odd counter behind its own.
function check_merge(counter,    index_of) {
    index_of = substr(counter, 4)
    if (counter !~ /^PMC[1357]$/ || event_of["PMC" index_of - 1] !~ /FLOPS/)
        wrong("MERGE belongs behind a FLOPS event, on the odd counter")
}

function enter(next_section, after) {
    if (section != after || !blank) wrong(next_section " has to follow " after " and an empty line")
    section = next_section
    heading = ""
    formulas = " "
    tested = ""
}

function check_short() {
    section = "SHORT"
    if (length($0) > 80) wrong("SHORT has more than 80 characters")
}

function check_event(    counter, event, plain, limit) {
    counter = $1
    event = $2
    if ($0 !~ /^[A-Z]+[0-9]+(C[0-9]+)?(:[A-Z0-9]+(=0x[0-9A-F]+)?)* [A-Z0-9_]+$/) {
        wrong("an event is COUNTER[:OPTION=0x...] EVENT")
        return
    }
    plain = counter
    sub(/:.*/, "", plain)
    if (plain in event_seen) wrong(plain " is there twice")
    if (counter ~ /^(PMC|FIXC)/ && event in event_seen) wrong(event " is there twice")
    event_seen[plain] = event_seen[event] = 1
    event_of[counter] = event
    if (!((architecture, event) in since)) {
        wrong("events.txt has no " event " of " architecture)
        return
    }
    rows[architecture, event] = 1
    limit = limits[architecture, event]
    if (plain != limit && plain !~ ("^" limit "[0-9]+(C[0-9]+)?$"))
        wrong(event " may be on " limit " only")
    if (number(since[architecture, event]) > needed) {
        newest = since[architecture, event]
        needed = number(newest)
    }
}

# The names in a formula are counters of the group, options and all, or likwid's own.
function check_formula(formula,    depth, word) {
    while (formula != "" && depth >= 0) {
        if (match(formula, /^[0-9]+(\.[0-9]+)?(E[-+]?[0-9]+)?/)) {
            # a number
        } else if (match(formula, /^[A-Za-z_][A-Za-z0-9_:=]*/)) {
            word = substr(formula, 1, RLENGTH)
            if (word in event_of) used[word] = 1
            else if (word !~ /^(time|inverseClock|num_numadomains|num_sockets)$/)
                wrong("no counter " word " in the event set")
        } else if (match(formula, /^[-+*\/()]/)) {
            depth += (formula ~ /^\(/) - (formula ~ /^\)/)
        } else {
            wrong("formula not understood at " formula)
            return
        }
        formula = substr(formula, RLENGTH + 1)
    }
    if (depth != 0) wrong("parentheses do not match")
}

function check_metric(    title) {
    title = $0
    if (!sub(/ [^ ]+$/, "", title)) {
        wrong("a metric is a name, a blank and a formula without blanks")
        return
    }
    if (title ~ /[,;|]/) wrong("a metric's name has no , ; or |")
    if (title in metric_seen) wrong("metric " title " is there twice")
    metric_seen[title] = 1
    if (title !~ / \[[^\]]+\]$/ && title !~ / per / && title !~ / ratio$/)
        wrong("a metric's name ends in its [unit], or says \"per\" or \"ratio\"")
    check_formula($NF)
}

function check_long(    words) {
    if (length($0) > 90) wrong("more than 90 characters")
    if ($0 ~ /^(SHORT|EVENTSET|METRICS|LONG|LUA|REQUIRE_NOHT)/)
        wrong("likwid takes this line for the begin of a section")
    if ($0 ~ /^[A-Z][a-z]+( to)?:$/) {
        heading = $0
        headings = headings " " $0
    } else if (heading == "Formulas:") {
        words = $0
        gsub(/[^A-Z0-9_a-z]/, " ", words)
        formulas = formulas words " "
    } else if (heading == "Likwid:" && $0 != "") {
        if ($0 !~ /^[A-Za-z0-9_]+ [0-9]+\.[0-9]+\.[0-9]+( until [0-9]+\.[0-9]+\.[0-9]+)?$/)
            wrong("Likwid: a line is ARCHITECTURE VERSION [until VERSION]")
        claims[$1, name] = file
        if ($1 == architecture) stated = $2
    } else if (heading == "Tested:" && tested == "") {
        tested = $0
    }
}

FNR == NR {
    if ($0 ~ /^#/) next
    known[$1] = 1
    limits[$1, $2] = $3
    since[$1, $2] = $4
    next
}
FNR == 1 { begin_group() }
{ line = FNR }
/[^ -~]/ { wrong("only printable ASCII, no tabs") }
/ $/ { wrong("blanks at the end") }
length($0) > 1000 { wrong("likwid reads no line of more than 1000 characters") }
section != "LONG" && /^$/ { blank = 1; next }
FNR == 1 {
    if ($0 ~ /^SHORT ./) check_short()
    else wrong("begins with SHORT and a text")
    next
}
section != "LONG" && /^EVENTSET$/ { enter("EVENTSET", "SHORT"); blank = 0; next }
section != "LONG" && /^METRICS$/ { enter("METRICS", "EVENTSET"); blank = 0; next }
section != "LONG" && /^LONG$/ { enter("LONG", "METRICS"); next }
section == "LONG" { check_long(); next }
blank { wrong("an empty line ends a section, so likwid drops this"); next }
section == "EVENTSET" { check_event(); next }
section == "METRICS" { check_metric(); next }
{ wrong("belongs to no section") }

END {
    finish_group()
    for (claim in claims)
        if (!(claim in seen)) {
            split(claim, part, SUBSEP)
            printf "%s: Likwid: names %s, which has no %s\n", claims[claim], part[1], part[2]
            failed = 1
        }
    for (row in since)
        if (!(row in rows)) {
            split(row, part, SUBSEP)
            printf "events.txt: no group counts %s of %s\n", part[2], part[1]
            failed = 1
        }
    exit failed
}
