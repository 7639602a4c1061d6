/** Parts that calls of the warehouse and of МДЛП share. */
import { z } from 'zod'

/** Raw input of a scanner. */
export const scanned = z.string().min(1, 'Код пуст').max(2_000, 'Код слишком длинный')
export const nullableText = z.string().nullable()
/** Maximum bytes of a supplier's file, and of a set of schemas. */
export const MAX_FILE = 16 * 1024 * 1024
