import type { ElnDictionary } from '@ordinator/model/areas/eln/codes'
import { loadTerms } from '#areas/dictionaries/index.ts'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { type InputProps, inputFrame } from '#records/fields/ui.ts'
import { RecordField } from '#records/form/RecordField.tsx'
import { codeField } from './CodeSelect.tsx'
import classes from './Eln.module.css'

const codes: Readonly<Record<string, ElnDictionary>> = {
  reason: 'reason',
  reasonAdd: 'reasonAdd',
  reasonNext: 'reason',
  breachCode: 'breach',
  resultCode: 'result',
}
const inputs = Object.fromEntries(Object.entries(codes).map(([name, kind]) => [name, codeField(kind)]))

const sections: Readonly<Record<string, readonly string[]>> = {
  'Работа и врач': ['employer', 'workType', 'idDoctor', 'idFilial', 'dateIssue', 'isAgreed'],
  Причина: ['reason', 'reasonAdd', 'reasonNext', 'diagnosis', 'isPregnancy12w', 'birthPlanned'],
  'Первичный или продолжение': ['isPrimary', 'prevLnCode', 'daysBefore'],
  'Стационар и режим': ['hospitalFrom', 'hospitalTo', 'breachCode', 'breachDate', 'voucherNumber'],
  МСЭ: ['mseSent', 'mseRegistered', 'mseDone', 'mseGroup'],
  Закрытие: ['workFrom', 'resultCode', 'resultDate'],
}

function DiagnosisField(props: InputProps) {
  const value = (props.value as string | null) ?? null
  const { error, label, description } = inputFrame(props)
  return (
    <AjaxSelect<string>
      {...{ error, label, description }}
      placeholder="Код или слова: J06, бронхит"
      load={loadTerms('icd10')}
      value={value ? { value, label: value } : null}
      onChange={(option) => props.onChange(option?.value ?? null)}
    />
  )
}

/** Fields of a sheet, by section of the form. */
export const LeaveForm = () => (
  <VStack gap={20}>
    {Object.entries(sections).map(([title, names]) => (
      <section key={title} aria-label={title}>
        <h2 className={classes.title}>{title}</h2>
        <div className={classes.fields}>
          {names.map((name) => (
            <RecordField key={name} name={name} input={name === 'diagnosis' ? DiagnosisField : inputs[name]} />
          ))}
        </div>
      </section>
    ))}
  </VStack>
)
