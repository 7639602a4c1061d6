import type { MoveFile } from '@ordinator/model/areas/moving/move'
import type { Row } from '@ordinator/model/entity'

/** A file of the move, as its record. */
export type LoadedFile = Row<typeof MoveFile>

export const rowForms = ['строка', 'строки', 'строк'] as const
