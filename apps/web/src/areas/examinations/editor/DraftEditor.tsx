import { Examination, ExaminationAttachment, ExaminationFile } from '@ordinator/model/areas/examinations/examination'
import type { QueryClient } from '@tanstack/react-query'
import type { FocusEvent } from 'react'
import { Attachments } from '#areas/files/index.ts'
import { recordsWith } from '#base/client.ts'
import { useUserSettings } from '#base/session.ts'
import { DateField } from '#kit/DateField.tsx'
import { Block, VStack } from '#kit/Stacks.tsx'
import { invalidateRecords } from '#records/keys.ts'
import type { UploadTarget } from '#records/uploads.ts'
import { Diagnoses, Prescriptions, Recommendations } from './Conclusion.tsx'
import type { ExaminationDraft } from './draft.ts'
import classes from './Editor.module.css'
import { FieldFrame } from './FieldFrame.tsx'
import { FormFieldInput } from './FormFieldInput.tsx'
import { showOnTop, TopDictionary } from './Phrases.tsx'
import { sectionColor } from './sectionColor.ts'
import { DraftContext, usePart } from './useDraft.ts'

/** Fields of a draft by section, and the final part. */
export function DraftEditor({ draft }: { draft: ExaminationDraft }) {
  const { examinationDictionaries, main } = useUserSettings()
  const { sections } = draft.ready.form
  return (
    <DraftContext value={draft}>
      <div className={classes.layout}>
        <nav className={classes.nav} aria-label="Разделы осмотра">
          {[...sections.map(({ title }, at) => [`section-${at}`, title] as const), ...endings].map(([id, title]) => (
            <a
              key={id}
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(id)?.scrollIntoView({ block: 'start' })
              }}
            >
              {title}
            </a>
          ))}
        </nav>
        <VStack gap={16} miw={0} onFocus={leavePhrases}>
          {examinationDictionaries.showDictionaryOnTopExamination && <TopDictionary />}
          <ExaminationDate />
          {sections.map(({ title, fields }, at) => (
            <Block
              key={title}
              component="section"
              framed
              p={16}
              id={`section-${at}`}
              className={classes.section}
              data-colored={main.showExaminationColors || undefined}
              style={{ '--section-color': sectionColor(at) }}
              aria-label={title}
            >
              <h2>{title}</h2>
              <Block mt={8} className={classes.fields}>
                {fields.map((field) => (
                  <FormFieldInput key={field.key} field={field} readOnly={false} />
                ))}
              </Block>
            </Block>
          ))}
          <Diagnoses />
          <Prescriptions />
          <Recommendations />
          <Block component="section" framed p={16} id="attachments" className={classes.section}>
            <ExaminationFiles idExamination={draft.id()} mayEdit />
          </Block>
        </VStack>
      </div>
    </DraftContext>
  )
}

/** Hides the dictionary on top when the focus leaves its field. */
function leavePhrases({ target }: FocusEvent<HTMLElement>): void {
  if (target.closest('[data-part]') && !target.closest('[data-phrases]')) showOnTop(undefined)
}

const endings = [
  ['diagnoses', 'Диагнозы'],
  ['prescriptions', 'Назначения'],
  ['recommendations', 'Рекомендации'],
  ['attachments', 'Вложения'],
] as const

function ExaminationDate() {
  const { value, set, error } = usePart<string>('date')
  return (
    <FieldFrame part="date" label="Дата осмотра" words={String}>
      <DateField label="Дата осмотра" w={200} required value={value} onChange={set} error={error} />
    </FieldFrame>
  )
}

/** Scans and photographs of an examination. */
export const ExaminationFiles = ({ idExamination, mayEdit }: { idExamination: number; mayEdit: boolean }) => (
  <Attachments
    links={ExaminationAttachment}
    of={{ idExamination }}
    target={(cache) => toExamination(idExamination, cache)}
    mayEdit={mayEdit}
    to="к осмотру"
    order={2}
  />
)

/** Upload group of an examination's files. */
export const uploadsOf = (idExamination: number): string => `examination:${idExamination}`

const toExamination = (idExamination: number, cache: QueryClient): UploadTarget => ({
  key: uploadsOf(idExamination),
  stored: ExaminationFile,
  whereToLook: 'Откройте осмотр, чтобы повторить.',
  async take({ id }) {
    await quiet.create(ExaminationAttachment, { idExamination, idFile: id })
    await invalidateRecords(cache, ExaminationAttachment.path)
    await invalidateRecords(cache, Examination.path)
  },
})

/** Errors are shown at the file itself. */
const quiet = recordsWith({ forbidden: 'silent' })
