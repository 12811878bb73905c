# SPDX-License-Identifier: MIT
# Reads `objdump -d --no-show-raw-insn` of an archive and prints "member function: instruction"
# for what takes an address or a decision from data in an innermost loop: a gather, and a
# branch, conditional move or address that a general register feeds which was loaded from an
# address that changes within the loop, or moved out of a vector register there. In the end,
# for each member, a line "loops COUNT aes|none MEMBER": how many loops were looked at, and
# whether it has instructions of AES or carry-less multiplication. Follows registers and
# stack slots from line to line, not along branches: a lint, no proof.

function register_of(operand) {
    sub(/^\*?%/, "", operand)
    if (operand ~ /^r[0-9]+[dwb]?$/) {
        sub(/[dwb]$/, "", operand)
        return operand
    }
    if (operand ~ /^[er]?[abcd]x$/) return "r" substr(operand, length(operand) - 1, 1) "x"
    if (operand ~ /^[abcd][lh]$/) return "r" substr(operand, 1, 1) "x"
    if (operand ~ /^[er]?(si|di|sp|bp)l?$/) {
        match(operand, /(si|di|sp|bp)/)
        return "r" substr(operand, RSTART, 2)
    }
    return ""
}

# Splits at the commas outside of brackets.
function split_operands(text,    i, letter, depth) {
    operand_count = 1
    operand[1] = ""
    for (i = 1; i <= length(text); i++) {
        letter = substr(text, i, 1)
        if (letter == "(") depth++
        if (letter == ")") depth--
        if (letter == "," && depth == 0) operand[++operand_count] = ""
        else operand[operand_count] = operand[operand_count] letter
    }
}

function is_memory(text) { return text ~ /\(|^%fs:/ }
function is_vector(text) { return text ~ /^%[xyz]mm|^%k[0-7]/ }
function is_slot(text) { return text ~ /^(-?0x[0-9a-f]+)?\(%r[sb]p\)$/ }

# The name of the byte at a stack slot, `further` on.
function slot_byte(text, further,    base, negative, i, number) {
    base = substr(text, index(text, "("))
    negative = text ~ /^-/
    sub(/^-?(0x)?/, "", text)
    sub(/\(.*/, "", text)
    for (i = 1; i <= length(text); i++) {
        number = 16 * number + index("0123456789abcdef", substr(text, i, 1)) - 1
    }
    return base ((negative ? -number : number) + further)
}

function store_to_slot(text, register, from_data,    bytes, i) {
    bytes = register ~ /^%z/ ? 64 : register ~ /^%y/ ? 32 : register ~ /^%x/ ? 16 : 8
    for (i = 0; i < bytes; i++) data[slot_byte(text, i)] = from_data
}

# True when a register of an address holds data.
function address_from_data(text,    parts, count, i) {
    sub(/^[^(]*\(/, "", text)
    sub(/\).*$/, "", text)
    count = split(text, parts, ",")
    for (i = 1; i <= count && i <= 2; i++) {
        if (data[register_of(parts[i])]) return 1
    }
    return 0
}

# True when a register of an address changes within the loop: else the load is of the same
# thing each time, which in these kernels is the number of rounds, a length or a pointer.
function address_moves(text,    parts, count, i) {
    sub(/^[^(]*\(/, "", text)
    sub(/\).*$/, "", text)
    count = split(text, parts, ",")
    for (i = 1; i <= count && i <= 2; i++) {
        if (changes[register_of(parts[i])]) return 1
    }
    return 0
}

function value_from_data(text,    name) {
    if (is_vector(text)) return 1
    if (is_slot(text)) return data[slot_byte(text, 0)]
    if (is_memory(text)) return address_moves(text)
    name = register_of(text)
    return name != "" && data[name]
}

function complain(number) {
    if (!((member, number) in said)) {
        print member " " name_of_function ": " line[number]
    }
    said[member, number] = 1
}

function step(number,    mnemonic, last, i, from_data) {
    mnemonic = mnemonic_of[number]
    split_operands(operands_of[number])
    last = operand[operand_count]
    if (mnemonic ~ /gather|scatter/) complain(number)
    if (mnemonic ~ /^(nop|data16|cs|prefetch|endbr|call|ret|leave|vzero|.?fence)/) return
    if (mnemonic != "lea") {
        for (i = 1; i <= operand_count; i++) {
            if (is_memory(operand[i]) && address_from_data(operand[i])) complain(number)
        }
    }
    if (mnemonic ~ /^(j[^m]|cmov|set)/ && flags_from_data) complain(number)
    if (mnemonic ~ /^j/) return
    from_data = 0
    if (mnemonic == "lea") from_data = address_from_data(operand[1])
    else if (!(mnemonic ~ /^v?p?xor|^sub/ && operand[1] == last)) {
        for (i = 1; i < operand_count; i++) {
            if (value_from_data(operand[i])) from_data = 1
        }
        # All but moves also read what they write.
        if (mnemonic !~ /^v?mov|^set|^v?pextr|^bswap|^kmov|^rorx|^pop/ && value_from_data(last)) {
            from_data = 1
        }
    }
    if (mnemonic ~ /^(cmp|test|bt|v?ptest|v?u?comis|kortest|ktest)/) {
        flags_from_data = from_data
        return
    }
    if (mnemonic ~ /^(add|sub|and|or|xor|inc|dec|neg|sh[lr]|sar|adc|sbb|imul)[lqwb]?$/) {
        flags_from_data = from_data
    }
    if (mnemonic ~ /^bswap|^not/) return
    if (is_slot(last)) store_to_slot(last, operand[1], from_data)
    else if (register_of(last) != "") data[register_of(last)] = from_data
}

# Marks as `reached` the lines between a jump backwards and its target that the target leads
# to; true when the jump is among them, which makes a loop of them. Other code lies there
# too: compilers move aside what is rarely executed.
function is_loop(first, last,    number, target) {
    delete reached
    reached[first] = 1
    for (number = first; number < last; number++) {
        if (!reached[number]) continue
        if (mnemonic_of[number] !~ /^(jmp|ret)/) reached[number + 1] = 1
        if (mnemonic_of[number] ~ /^j/) {
            target = number_at[operands_of[number]]
            if (target > number && target <= last) reached[target] = 1
        }
    }
    return reached[last]
}

# Notes the general registers that change from one turn of the loop to the next: those
# written, but not those that only change places with one another.
function note_changing(first, last,    pass, number, target) {
    delete changes
    for (pass = 1; pass <= 2; pass++) {
        for (number = first; number <= last; number++) {
            if (!reached[number]) continue
            if (mnemonic_of[number] ~ /^(cmp|test|j|call|nop|prefetch)/) continue
            split_operands(operands_of[number])
            target = register_of(operand[operand_count])
            if (target == "") continue
            if (mnemonic_of[number] == "mov" && register_of(operand[1]) != "") {
                if (changes[register_of(operand[1])]) changes[target] = 1
            } else changes[target] = 1
        }
    }
}

function look_at_loop(first, last,    number, pass) {
    if (!is_loop(first, last)) return
    loops[member]++
    note_changing(first, last)
    delete data
    flags_from_data = 0
    for (pass = 1; pass <= 2; pass++) {
        for (number = first; number <= last; number++) {
            if (reached[number]) step(number)
        }
    }
}

# A conditional jump backwards makes a loop; only the innermost ones are looked at.
function look_at_function(    number, target, innermost) {
    for (number = 1; number <= count; number++) {
        if (mnemonic_of[number] ~ /^j/ && operands_of[number] in number_at) {
            target = number_at[operands_of[number]]
            if (target <= number && target > innermost) {
                look_at_loop(target, number)
                innermost = number
            }
        }
    }
}

END {
    look_at_function()
    for (member in loops) {
        print "loops " loops[member] (uses_aes[member] ? " aes " : " none ") member
    }
}

/file format/ {
    look_at_function()
    count = 0
    member = $1
    sub(/:$/, "", member)
}

/^[0-9a-f]+ <.*>:$/ {
    look_at_function()
    name_of_function = $2
    gsub(/[<>:]/, "", name_of_function)
    count = 0
    delete number_at
}

/^ *[0-9a-f]+:\t/ {
    address = $1
    sub(":", "", address)
    line[++count] = $0
    number_at[address] = count
    mnemonic_of[count] = $2
    operands_of[count] = $3
    if ($2 ~ /^v?(aesenc|aesdec|pclmul)/) uses_aes[member] = 1
}
