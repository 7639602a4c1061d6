import { Checkbox, SegmentedControl, Textarea } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { type Urgency, urgencies } from '@ordinator/model/areas/laboratory/words'
import { User } from '@ordinator/model/areas/staff/user'
import { loadTerms } from '#areas/dictionaries/index.ts'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useRecord } from '#records/reads.ts'
import classes from '../Laboratory.module.css'
import type { OrderDraft } from './useNewOrder.ts'

interface Props {
  draft: OrderDraft
  set: (patch: Partial<OrderDraft>) => void
  /** The page was opened without a patient. */
  asksPatient: boolean
  /** Called when the patient is chosen. */
  onPatient: (idCustomer: number | null) => void
}

/** Patient, branch, doctor and what matters for the tests. */
export function OrderFields({ draft, set, asksPatient, onPatient }: Props) {
  const { idCustomer } = draft
  const customer = useRecord(Customer, idCustomer ?? undefined, { fields: ['gender'] }, { forbidden: 'silent' })
  const isFemale = customer.data?.gender !== 'male'
  return (
    <section className={classes.panel} aria-label="Пациент и назначение">
      <div className={classes.two}>
        <RefSelect
          to={Customer.path}
          label="Пациент"
          required
          value={idCustomer}
          onChange={(id) => {
            set({ idCustomer: id })
            onPatient(id)
          }}
          autoFocus={asksPatient}
        />
        <RefSelect
          to={Filial.path}
          label="Филиал"
          required
          value={draft.idFilial}
          onChange={(idFilial) => set({ idFilial })}
        />
        <RefSelect
          to={User.path}
          label="Назначил"
          clearable
          value={draft.idDoctor}
          onChange={(idDoctor) => set({ idDoctor })}
        />
        <VStack gap={4}>
          <span style={{ fontSize: 14, fontWeight: 500 }}>Срочность</span>
          <SegmentedControl
            aria-label="Срочность"
            data={Object.entries(urgencies).map(([value, label]) => ({ value, label }))}
            value={draft.urgency}
            onChange={(value) => set({ urgency: value as Urgency })}
          />
        </VStack>
        <AjaxSelect<string>
          label="Диагноз МКБ-10"
          placeholder="Код или слова: E11, диабет"
          load={loadTerms('icd10')}
          value={draft.diagnosis ? { value: draft.diagnosis, label: draft.diagnosis } : null}
          onChange={(term) => set({ diagnosis: term?.value ?? '' })}
        />
        {isFemale && (
          <HStack wrap gap={12} align="flex-end">
            <NumberField
              label="Беременность, недель"
              value={draft.pregnancyWeeks}
              onChange={(pregnancyWeeks) => set({ pregnancyWeeks })}
            />
            <NumberField label="День цикла" value={draft.cycleDay} onChange={(cycleDay) => set({ cycleDay })} />
            <Checkbox
              mb={8}
              label="Постменопауза"
              checked={draft.menopause}
              onChange={(event) => set({ menopause: event.currentTarget.checked })}
            />
          </HStack>
        )}
        <Checkbox
          mt={28}
          label="Взятие натощак"
          checked={draft.fasting}
          onChange={(event) => set({ fasting: event.currentTarget.checked })}
        />
        <Textarea
          label="Комментарий"
          autosize
          minRows={1}
          maxLength={2000}
          value={draft.comment}
          onChange={(event) => set({ comment: event.currentTarget.value })}
        />
      </div>
    </section>
  )
}
