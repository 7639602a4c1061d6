import { can } from '@ordinator/model/access'
import { examinationCalls } from '@ordinator/model/areas/examinations/calls'
import type { ExaminationForm } from '@ordinator/model/areas/examinations/form'
import { isSamePart } from '@ordinator/model/areas/examinations/parts'
import { ExaminationTemplate, ExaminationTemplateVersion } from '@ordinator/model/areas/examinations/template'
import { wrongForm } from '@ordinator/model/areas/examinations/wrongForm'
import sql from 'sql-template-tag'
import { forbidden, notFound, ValidationError } from '#platform/errors.ts'
import { printableErrors } from '#platform/pdfFonts.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { mustHaveDictionaries } from './dictionaries.ts'
import { mustHavePictures } from './pictures.ts'
import { templateScope } from './scope.ts'

/** The form of a template is stored as a version at each change. */
export const templates = records(ExaminationTemplate, {
  scope: templateScope,
  found: {
    on: 'examinationTemplate',
    group: 'Шаблоны осмотров',
    by: ['name'],
    opens: ({ row }) => sql`'/settings/examination-templates/' || ${row}."id"`,
  },
  hooks: {
    prepare(value) {
      const unprintable = value.form === undefined ? [] : printableErrors('form', JSON.stringify(value.form))
      if (unprintable.length) throw new ValidationError(unprintable)
    },
    async beforeCreate({ tx }, value) {
      await mustHaveDictionaries(tx, dictionariesOf(value.form))
      await mustHavePictures(tx, value.form)
      Object.assign(value, { version: 1, ...value })
    },
    afterCreate: ({ records: all, actor }, row) => keepVersion(all, row, actor.id || row.idUser),
    async beforeUpdate({ tx }, value, before) {
      if (value.form === undefined || isSamePart(value.form, before.form)) return
      await mustHaveDictionaries(tx, dictionariesOf(value.form))
      await mustHavePictures(tx, value.form)
      Object.assign(value, { version: before.version + 1 })
    },
    async afterUpdate({ records: all, actor }, row, before) {
      if (row.version !== before.version) await keepVersion(all, row, actor.id || row.idUser)
    },
  },
})

async function keepVersion(
  all: Records,
  { id, version, form }: { id: number; version: number; form: ExaminationForm },
  idUser: number,
): Promise<void> {
  await all.asSystem.create(ExaminationTemplateVersion, { idTemplate: id, number: version, form, idUser })
}

const dictionariesOf = (form: ExaminationForm | undefined): string[] => [
  ...new Set(form?.sections.flatMap(({ fields }) => fields.flatMap(({ dictionary }) => dictionary ?? []))),
]

export const versions = records(ExaminationTemplateVersion)

/** Restores a former form as the newest version; versions in between stay. */
export const restore = operation(examinationCalls.restore, ({ records: all, actor, params, body }) =>
  all.tx(async (inner, tx) => {
    await tx.query(sql`select 1 from examination_templates where "id" = ${params.id} for update`)
    const template = await inner.row(ExaminationTemplate, params.id)
    if (!can(actor, 'update', ExaminationTemplate)) throw forbidden()
    const version = await inner.row(ExaminationTemplateVersion, body.idVersion)
    if (version.idTemplate !== template.id || wrongForm(version.form)) throw notFound('Такой версии у шаблона нет')
    const { version: number } = await inner.update(ExaminationTemplate, template.id, { form: version.form })
    return { version: number }
  }),
)
