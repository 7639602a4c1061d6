/** Translates libxml2's messages (version 2.15) to Russian. */

type Rule = [RegExp, (...parts: string[]) => string]

/** `{namespace}name` as shown to people. */
const bare = (name = '') => name.replace(/\{[^}]*\}/g, '')
const shown = (value = '') => `«${value.length > 80 ? `${value.slice(0, 80)}…` : value}»`
const place = (element = '', attribute?: string) =>
  attribute ? `Атрибут ${bare(attribute)} элемента ${bare(element)}` : `Элемент ${bare(element)}`

const where = "Element '([^']*)'(?:, attribute '([^']*)')?: "
const rule = (pattern: string, words: Rule[1]): Rule => [new RegExp(`^${where}${pattern}`, 's'), words]

const RULES: readonly Rule[] = [
  rule(
    'This element is not expected\\. Expected is(?: one of)? \\( (.*) \\)',
    (e, _a, expected) => `${place(e)} здесь не ожидается. Ожидается: ${bare(expected)}`,
  ),
  rule('This element is not expected', (e) => `${place(e)} здесь не ожидается`),
  rule(
    'Missing child element\\(s\\)\\. Expected is(?: one of)? \\( (.*) \\)',
    (e, _a, expected) => `В элементе ${bare(e)} не хватает: ${bare(expected)}`,
  ),
  rule('Missing child element\\(s\\)', (e) => `В элементе ${bare(e)} не хватает вложенных элементов`),
  rule("The attribute '([^']*)' is required but missing", (e, _a, name) => `${place(e, name)} обязателен`),
  rule("The attribute '([^']*)' is not allowed", (e, _a, name) => `${place(e, name)} не допускается`),
  rule('The attribute .* is not allowed', (e, a) => `${place(e, a)} не допускается`),
  rule(
    "\\[facet 'pattern'\\] The value '(.*)' is not accepted by the pattern '(.*)'",
    (e, a, value, pattern) => `${place(e, a)}: значение ${shown(value)} не подходит под образец ${pattern}`,
  ),
  rule(
    "\\[facet 'enumeration'\\] The value '(.*)' is not an element of the set \\{(.*)\\}",
    (e, a, value, set = '') => `${place(e, a)}: значения ${shown(value)} нет среди допустимых: ${set.slice(0, 200)}`,
  ),
  rule(
    "\\[facet '(?:min|max)?[lL]ength'\\] The value (?:'(.*)' )?has a length of '(\\d+)'; this (exceeds|underruns|differs from) the allowed (?:minimum |maximum )?length of '(\\d+)'",
    (e, a, _v, length, how, allowed) =>
      `${place(e, a)}: длина ${length}, а должна быть ${how === 'exceeds' ? 'не больше ' : how === 'underruns' ? 'не меньше ' : ''}${allowed}`,
  ),
  rule(
    "\\[facet '(?:min|max)(?:In|Ex)clusive'\\] The value '(.*)' is (less|greater) than .*'(.*)'",
    (e, a, value, how, limit) =>
      `${place(e, a)}: ${value} ${how === 'less' ? 'меньше' : 'больше'} допустимого ${limit}`,
  ),
  rule(
    "\\[facet '(?:total|fraction)Digits'\\] The value '(.*)' has more .*'(\\d+)'",
    (e, a, value, digits) => `${place(e, a)}: в значении ${shown(value)} больше цифр, чем допустимо (${digits})`,
  ),
  rule(
    "'(.*)' is not a valid value of the (?:atomic|union|list|local atomic|local union) type(?: '([^']*)')?",
    (e, a, value, type) =>
      `${place(e, a)}: недопустимое значение ${shown(value)}${type ? ` (нужен тип ${bare(type)})` : ''}`,
  ),
  rule('Character content (?:other than whitespace )?is not allowed', (e) => `${place(e)} не может содержать текст`),
  rule('Element content is not allowed', (e) => `${place(e)} не может содержать вложенные элементы`),
  rule(
    'No matching global declaration available for the validation root',
    (e) => `${place(e)} не может быть корнем по этой схеме`,
  ),
  rule('The type definition is abstract', (e) => `${place(e)}: не указан вид (xsi:type)`),
  rule('Duplicate key-sequence (.*) in', (e, _a, key) => `${place(e)}: значение ${shown(key)} повторяется`),
  [
    /^Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)/,
    (open, line, close) => `Тег ${open} (строка ${line}) закрыт тегом ${close}`,
  ],
  [/^Attribute (\S+) redefined/, (name) => `Атрибут ${name} указан дважды`],
  [/^Excessive depth in document/, () => 'Вложенность элементов больше 256'],
  [/invalid xmlChar value (\d+)/, (code) => `Символ с кодом ${code} в XML запрещён`],
  [/^Premature end of data in tag (\S+)/, (name) => `Файл обрывается: тег ${name} не закрыт`],
  [/^(?:Start tag expected|Document is empty)/, () => 'Это не XML: нет открывающего тега'],
  [/^Extra content at the end of the document/, () => 'После конца документа есть лишнее'],
  [/^Entity '(\S+)' not defined/, (name) => `Неизвестная сущность &${name};`],
  [
    /^Namespace prefix (\S+)(?: for \S+)? on (\S+) is not defined/,
    (prefix, name) => `Префикс ${prefix} элемента ${name} не объявлен`,
  ],
  [/^(?:attributes construct error|AttValue|Specification mandates value)/, () => 'Ошибка в записи атрибута'],
  [/^(?:PCDATA invalid Char value|xmlParse\w+: invalid|Char 0x|Invalid char)/i, () => 'Недопустимый символ'],
  [/length too long|too long|Huge|huge/, () => 'Слишком длинное значение'],
]

/** @param message of libxml2 @returns in Russian; an unknown message is kept, after a Russian introduction */
export function inRussian(message: string): string {
  const text = message.trim()
  for (const [pattern, words] of RULES) {
    const found = pattern.exec(text)
    if (found) return words(...found.slice(1))
  }
  return `Ошибка в XML: ${text}`
}
