import { withHeld } from '@ordinator/model/areas/prints/held'
import {
  PrintFile,
  PrintPicture,
  PrintTemplate,
  pageErrors,
  surroundings,
} from '@ordinator/model/areas/prints/printTemplate'
import { readTemplate } from '@ordinator/model/areas/prints/template'
import { type Bound, bind } from '@ordinator/model/areas/prints/variables'
import { entityAt } from '@ordinator/model/entities'
import type { Entity, Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { fileRecords } from '#areas/files/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import { type FieldError, ValidationError } from '#platform/errors.ts'
import { printableErrors } from '#platform/pdfFonts.ts'
import { records } from '#records/define.ts'
import { searchTarget } from '#records/searchTarget.ts'
import type { PrintText } from './drawPrint.ts'

type Texts = Pick<Row<typeof PrintTemplate>, 'body' | 'header' | 'footer'>
const parts = ['body', 'header', 'footer'] as const

export interface ReadText {
  text: PrintText
  bound: Bound
  errors: FieldError[]
}

/** The texts of a template with their placeholders parsed, and their errors. */
export function readTexts(texts: Partial<Texts>, entity: Entity): ReadText {
  const read = parts.map((field) => readTemplate(texts[field] ?? ''))
  const bound = bind(
    read.map(({ pieces }) => pieces),
    entity,
    surroundings,
    withHeld(entityAt),
  )
  const errors = parts.flatMap((field, at): FieldError[] => {
    const all = [...(read[at]?.problems ?? []), ...(bound.problems[at] ?? [])]
    return all.length ? [{ field, message: all.slice(0, SHOWN).join('. ') }] : []
  })
  const [body, header, footer] = read.map(({ pieces }) => pieces)
  return { text: { body: body ?? [], header: header ?? [], footer: footer ?? [] }, bound, errors }
}

/** Maximum number of errors reported per text. */
const SHOWN = 3

const defaults = Object.fromEntries(
  Object.entries(PrintTemplate.fields).map(([name, { options }]) => [name, options.default ?? null]),
)

export const templates = records(PrintTemplate, {
  found: searchTarget('printTemplate', { group: 'Шаблоны печати' }),
  scope: {
    unless: 'mainSettings',
    // Scope: for all branches, or for one where the user works.
    view: ({ row, me }) => sql`(${row}."filials" = '{}' or exists (select 1 from users w where w."id" = ${me}
      and (w."filials" = '{}' or w."filials" && ${row}."filials")))`,
  },
  computed: {
    isInForce: ({ row }) => sql`(${row}."isActive" and coalesce(${row}."validFrom" <= ${clinicToday}, true)
      and coalesce(${row}."validTo" >= ${clinicToday}, true))`,
  },
  hooks: {
    prepare(value, before) {
      const now = { ...defaults, ...before, ...value } as unknown as Row<typeof PrintTemplate>
      const errors = pageErrors(now)
      const entity = entityAt(now.entity)
      if (entity && parts.some((field) => value[field] !== undefined)) errors.push(...readTexts(now, entity).errors)
      for (const field of parts) {
        const text = value[field]
        if (typeof text === 'string') errors.push(...printableErrors(field, text))
      }
      if (errors.length) throw new ValidationError(errors)
    },
  },
})

/** Pictures of templates are visible in every document. */
export const printFiles = fileRecords(PrintFile)
export const printPictures = records(PrintPicture)
