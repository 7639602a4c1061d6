/** Prompt templates: `{{variables}}` and the fields of an answer. Pure, shared by client and server. */

export const MAX_PROMPT = 8_000
export const MAX_OUTPUT_FIELDS = 40

/** Variables of a prompt; their values are masked before sending. */
export const promptVariables = {
  разговор: 'Что было сказано: расшифровка или текст',
  поля: 'Поля осмотра, которые нужно заполнить',
  шаблон: 'Название шаблона осмотра',
  возраст: 'Сколько пациенту полных лет',
  пол: 'Пол пациента',
  вид: 'Вид звонка',
  длительность: 'Сколько длился разговор',
  итоги: 'Список итогов разговора, принятый в клинике',
  сейчас: 'Дата и время',
} as const
export type PromptVariable = keyof typeof promptVariables
export type PromptValues = Partial<Record<PromptVariable, string>>

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g

const isVariable = (name: string): name is PromptVariable => Object.hasOwn(promptVariables, name)

/** Error of a prompt's text; undefined: valid. */
export function wrongTemplate(text: string): string | undefined {
  for (const [, name = ''] of text.matchAll(VARIABLE))
    if (!isVariable(name.toLowerCase()))
      return `Нет такой переменной: {{${name.slice(0, 40)}}}. Есть: ${Object.keys(promptVariables).join(', ')}`
  if (/\{\{|\}\}/.test(text.replace(VARIABLE, ''))) return 'Скобка {{ или }} без пары'
  return undefined
}

/** Fills in a prompt; the conversation is appended if the text has no variable for it. */
export function fillPrompt(text: string, values: PromptValues): string {
  let saysTalk = false
  const filled = text.replace(VARIABLE, (_, name: string) => {
    const known = name.toLowerCase()
    if (known === 'разговор') saysTalk = true
    return isVariable(known) ? (values[known] ?? '') : ''
  })
  return saysTalk || !values.разговор ? filled : `${filled}\n\nРазговор:\n${values.разговор}`
}

/** A field of the answer. */
export interface OutputField {
  /** Key in the answer's JSON. */
  key: string
  label: string
  /** Hint for the model. */
  hint?: string
}

const KEY = /^[\p{Ll}_][\p{Ll}\p{N}_]{0,39}$/u

/** Error of the answer's fields; undefined: valid. */
export function wrongOutput(fields: OutputField[]): string | undefined {
  if (!Array.isArray(fields) || fields.length > MAX_OUTPUT_FIELDS) return `Полей ответа не больше ${MAX_OUTPUT_FIELDS}`
  const keys = new Set<string>()
  for (const field of fields) {
    const { key, label, hint = '' } = (field ?? {}) as Partial<OutputField>
    if (typeof key !== 'string' || !KEY.test(key)) return 'Ключ поля — строчные буквы, цифры и подчёркивания'
    if (keys.has(key)) return `Поле «${key}» повторяется`
    if (typeof label !== 'string' || label.trim() === '' || label.length > 120) return `У поля «${key}» нужно название`
    if (typeof hint !== 'string' || hint.length > 500) return `Пояснение поля «${key}» длиннее 500 знаков`
    keys.add(key)
  }
  return undefined
}
