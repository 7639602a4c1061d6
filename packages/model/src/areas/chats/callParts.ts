/** Parts that calls of visitors and of operators share. */
import { z } from 'zod'
import { messages } from '../../messages.ts'
import { MAX_MESSAGE } from './liveAssist.ts'

/** The site's chat is closed, or the visitor's script is too old. */
export const GONE = [410, 426] as const

export const clientId = z.string().regex(/^[\w-]{8,64}$/, 'Ключ: 8–64 знака, латинские буквы, цифры, _ и -')

export const words = z
  .string(messages.string)
  .trim()
  .max(MAX_MESSAGE, messages.maxLength(MAX_MESSAGE))
  .refine((value) => !value.includes('\0'), messages.nul)
