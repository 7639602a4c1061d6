import type { z } from 'zod'
import { messages } from './messages.ts'

const formats: Readonly<Record<string, string>> = {
  date: messages.date,
  datetime: messages.dateTime,
  time: messages.clock,
  email: messages.email,
  url: messages.url,
}

/** Russian messages for zod issues; those of the specification where it has one (spec §5). */
export function issueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return messages.required
    if (issue.expected === 'string') return messages.string
    if (issue.expected === 'number') return messages.number
    if (issue.expected === 'int') return messages.integer
    if (issue.expected === 'boolean') return messages.boolean
    if (issue.expected === 'array') return messages.list
    return messages.json
  }
  if (issue.code === 'too_small') {
    if (issue.origin === 'string')
      return issue.minimum === 1 ? messages.required : messages.minLength(Number(issue.minimum))
    return issue.origin === 'array' ? messages.listMin(Number(issue.minimum)) : messages.min(Number(issue.minimum))
  }
  if (issue.code === 'too_big') {
    if (issue.origin === 'string') return messages.maxLength(Number(issue.maximum))
    return issue.origin === 'array' ? messages.listMax(Number(issue.maximum)) : messages.max(Number(issue.maximum))
  }
  if (issue.code === 'unrecognized_keys') return messages.unknown
  if (issue.code === 'custom') return undefined
  if (issue.code === 'invalid_format') return formats[issue.format] ?? messages.unfit
  if (issue.code === 'not_multiple_of') return messages.integer
  return messages.choice
}
