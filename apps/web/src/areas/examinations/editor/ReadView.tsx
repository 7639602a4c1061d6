import { type FormField, type PictureMark, type ReadyForm, valueIn } from '@ordinator/model/areas/examinations/form'
import { diagnosisWords, prescriptionWords, readSections } from '@ordinator/model/areas/examinations/paper'
import { partOf } from '@ordinator/model/areas/examinations/parts'
import type { ReactNode } from 'react'
import { useUserSettings } from '#base/session.ts'
import { Block, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RichText } from '#records/RichText.tsx'
import { AssistedMark } from './AssistedMark.tsx'
import type { ExaminationRow } from './draft.ts'
import classes from './Editor.module.css'
import { MarkedPicture } from './PictureInput.tsx'
import { sectionColor } from './sectionColor.ts'

/** Read-only view of an examination: only filled fields. */
export function ReadView({ examination, ready }: { examination: ExaminationRow; ready: ReadyForm }) {
  const colored = useUserSettings().main.showExaminationColors
  const sections = readSections(ready, examination.values)
  const { diagnoses, prescriptions } = examination
  const isAssisted = (part: string) => examination.assisted?.[part] !== undefined
  const recommendations = examination.recommendations.filter(Boolean)
  return (
    <VStack gap={16} maw={900}>
      {sections.map(({ title, lines }) => (
        <Section
          key={title}
          title={title}
          color={colored ? sectionColor(ready.form.sections.findIndex((one) => one.title === title)) : undefined}
        >
          <dl>
            {lines.map(({ key, label, text, html, mark }) => (
              <div key={key} className={classes.line}>
                <dt>{label}</dt>
                <dd data-mark={(colored && mark) || undefined}>
                  {html === undefined ? text : <RichText html={html} />}
                  <Marks field={ready.fields.get(key)} value={valueIn(examination.values, key)} />
                  {mark && (mark === 'high' ? ' ↑' : ' ↓')}
                  {examination.assisted?.[partOf(key)] !== undefined && (
                    <div>
                      <AssistedMark />
                    </div>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </Section>
      ))}
      {sections.length === 0 && <Muted>В осмотре ничего не заполнено</Muted>}
      <Lines title="Диагнозы" lines={diagnoses.map(diagnosisWords)} isAssisted={isAssisted('diagnoses')} />
      <Lines title="Назначения" lines={prescriptions.map(prescriptionWords)} />
      <Lines title="Рекомендации" lines={recommendations} isAssisted={isAssisted('recommendations')} />
    </VStack>
  )
}

/** Positions of the marks, under their labels. */
function Marks({ field, value }: { field: FormField | undefined; value: unknown }) {
  if (field?.type !== 'picture' || !Array.isArray(value)) return null
  return (
    <div className={classes.seen} data-still>
      <MarkedPicture field={field} marks={value as PictureMark[]} />
    </div>
  )
}

function Lines({ title, lines, isAssisted }: { title: string; lines: readonly string[]; isAssisted?: boolean }) {
  if (lines.length === 0) return null
  return (
    <Section title={title}>
      <VStack component="ul" gap={4} mt={6} className="breaks">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </VStack>
      {isAssisted && <AssistedMark />}
    </Section>
  )
}

function Section({ title, color, children }: { title: string; color?: string; children: ReactNode }) {
  return (
    <Block
      component="section"
      framed
      p={16}
      className={classes.section}
      data-colored={color ? true : undefined}
      style={{ '--section-color': color }}
      aria-label={title}
    >
      <h2>{title}</h2>
      {children}
    </Block>
  )
}
