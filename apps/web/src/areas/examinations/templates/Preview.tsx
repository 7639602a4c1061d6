import { type ExaminationForm, readyForm } from '@ordinator/model/areas/examinations/form'
import { defaultsOf } from '@ordinator/model/areas/examinations/formValues'
import { useState } from 'react'
import { useUserSettings } from '#base/session.ts'
import { today } from '#kit/clock.ts'
import { Block, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { type DraftRow, ExaminationDraft } from '../editor/draft.ts'
import classes from '../editor/Editor.module.css'
import { FormFieldInput } from '../editor/FormFieldInput.tsx'
import { sectionColor } from '../editor/sectionColor.ts'
import { DraftContext } from '../editor/useDraft.ts'

/** The form as doctors see it; nothing is saved. */
export function Preview({ form }: { form: ExaminationForm }) {
  const [draft] = useState(() => trial(form))
  const colored = useUserSettings().main.showExaminationColors
  return (
    <DraftContext value={draft}>
      <VStack gap={16}>
        <Fine component="p">Попробуйте заполнить: условия и формулы работают, ничего не записывается.</Fine>
        {form.sections.map(({ title, fields }, at) => (
          <Block
            key={title}
            component="section"
            framed
            p={16}
            className={classes.section}
            data-colored={colored || undefined}
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
      </VStack>
    </DraftContext>
  )
}

/** A draft without a record, never saved. */
function trial(form: ExaminationForm): ExaminationDraft {
  const ready = readyForm(form)
  const nothing = { diagnoses: [], prescriptions: [], recommendations: [] }
  const row: DraftRow = { id: 0, _version: 1, status: 'done', date: today(), values: defaultsOf(ready), ...nothing }
  return new ExaminationDraft(row, ready, { onSaved() {}, onStale() {} })
}
