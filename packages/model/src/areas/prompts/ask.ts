/** Fixed system messages before each prompt: define the format of the answer. Pure. */
import { checkItems } from '../calls/checkList.ts'
import type { FormField } from '../examinations/form.ts'
import type { OutputField } from './template.ts'

const RULES =
  'Отвечай только одним объектом JSON, без пояснений и без Markdown. Пиши по-русски. Не придумывай того, чего не было сказано: если о чём-то не говорили, не включай это поле. Метки вида [Имя 1] или [Телефон 1] стоят вместо личных данных: оставляй их как есть.'

/** System message of a call's prompt. */
export const callSystemMessage = (more: readonly OutputField[]): string =>
  [
    'Ты разбираешь разговор сотрудника клиники с пациентом.',
    RULES,
    'Поля: "summary" — краткое содержание в двух-трёх предложениях; "reason" — зачем обратились; "outcome" — чем кончилось; "objections" — список возражений; "checks" — объект, где для каждого ключа стоит "yes", "no" или "na":',
    ...Object.entries(checkItems).map(([key, label]) => `- ${key}: ${label}`),
    '"nextStep" — обещанный следующий шаг: {"text": "что сделать", "date": "когда, ISO 8601 со смещением"} или null.',
    ...more.map(({ key, label, hint }) => `"${key}" — ${label}${hint ? `: ${hint}` : ''}.`),
  ].join('\n')

/** System message of a protocol's prompt. */
export const protocolSystemMessage = (fields: readonly FormField[]): string =>
  [
    'Ты помогаешь врачу записать осмотр по тому, что было сказано на приёме. Это черновик, его проверит врач.',
    RULES,
    'Поля: "fields" — объект, ключи которого:',
    ...fields.map(fieldWords),
    '"diagnoses" — список {"code": "код МКБ-10", "name": "название"}, первый — основной; "recommendations" — список рекомендаций.',
  ].join('\n')

/** Describes a form field to the model, in one line. */
export const fieldWords = ({ key, label, type, unit, options, help }: FormField): string =>
  `- ${key}: ${label}${unit ? `, ${unit}` : ''}${type === 'number' || type === 'scale' ? ' (число)' : ''}${
    options?.length ? ` (одно из: ${options.join('; ')})` : ''
  }${help ? ` — ${help}` : ''}`
