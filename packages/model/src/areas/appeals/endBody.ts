import { z } from 'zod'
import { id } from '../../call.ts'
import { messages } from '../../messages.ts'

/** The end of a conversation: an outcome, or the next step with its date; neither where none is required. */
export const endBody = {
  idOutcome: id.nullable().optional(),
  nextStep: z
    .string(messages.string)
    .trim()
    .max(255, messages.maxLength(255))
    .refine((value) => !value.includes('\0'), messages.nul)
    .nullable()
    .optional(),
  dateNextStep: z.iso.datetime({ offset: true, error: messages.dateTime }).nullable().optional(),
}

export interface End {
  idOutcome?: number | null | undefined
  nextStep?: string | null | undefined
  /** ISO 8601. */
  dateNextStep?: string | null | undefined
}
