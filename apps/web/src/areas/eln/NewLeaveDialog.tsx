import { Select, TextInput } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { workTypes } from '@ordinator/model/areas/eln/rules'
import { SickLeave, SickPeriod } from '@ordinator/model/areas/eln/sickLeave'
import { User } from '@ordinator/model/areas/staff/user'
import { messages } from '@ordinator/model/messages'
import { plusDays } from '@ordinator/model/zone'
import { useState } from 'react'
import { loadTerms } from '#areas/examinations/index.ts'
import { useGo } from '#base/address.ts'
import { recordsWith } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { CodeSelect } from './CodeSelect.tsx'
import { toast, useReread } from './leave.ts'

const asked = recordsWith(toast)
/** Default days of a first period. */
const FIRST_DAYS = 5

interface Props {
  /** Card it was opened from. */
  idCustomer?: number
  onMade?: (id: number) => void
  onClose: () => void
}

/** New sheet: patient, employer, reason, first period. */
export function NewLeaveDialog({ idCustomer, onClose }: Props) {
  const actor = useActor()
  const go = useGo()
  const reread = useReread()
  const [customer, setCustomer] = useState<number | null>(idCustomer ?? null)
  const [idDoctor, setDoctor] = useState<number | null>(holds(actor, 'viewAllEln') ? null : (actor.id ?? null))
  const [employer, setEmployer] = useState('')
  const [workType, setWorkType] = useState<keyof typeof workTypes>('main')
  const [reason, setReason] = useState<string | null>('01')
  const [diagnosis, setDiagnosis] = useState<{ value: string; label: string } | null>(null)
  const [dateFrom, setFrom] = useState<string | null>(today())
  const [dateTo, setTo] = useState<string | null>(plusDays(today(), FIRST_DAYS - 1))
  return (
    <ActionDialog
      title="Новый больничный лист"
      action="Открыть лист"
      faults={{
        idCustomer: !customer && messages.required,
        idDoctor: !idDoctor && messages.required,
        dateFrom: !dateFrom && messages.required,
        dateTo: !dateTo ? messages.required : dateFrom !== null && dateTo < dateFrom && 'Раньше, чем начинается',
      }}
      onClose={onClose}
      run={async () => {
        const made = await asked.create(SickLeave, {
          ...{ idCustomer: customer as number, idDoctor: idDoctor as number, workType, reason },
          ...(employer.trim() && { employer }),
          ...(diagnosis && { diagnosis: diagnosis.value }),
        })
        await asked.create(SickPeriod, {
          ...{
            idSickLeave: made.id,
            idDoctor: idDoctor as number,
            dateFrom: dateFrom as string,
            dateTo: dateTo as string,
          },
        })
        await reread()
        await go({ page: 'sickLeave', params: { id: made.id } })
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {idCustomer === undefined && (
            <RefSelect
              to={Customer.path}
              label="Пациент"
              required
              value={customer}
              error={errorOf('idCustomer')}
              onChange={setCustomer}
            />
          )}
          <RefSelect
            to={User.path}
            label="Врач"
            required
            value={idDoctor}
            error={errorOf('idDoctor')}
            onChange={setDoctor}
          />
          <HStack gap={12} align="flex-start" wrap>
            <TextInput
              flex="2 1 220px"
              label="Место работы"
              placeholder="Пусто — как в карте пациента"
              maxLength={255}
              value={employer}
              error={errorOf('employer')}
              onChange={(event) => setEmployer(event.currentTarget.value)}
            />
            <Select
              flex="1 1 180px"
              label="Вид работы"
              allowDeselect={false}
              data={Object.entries(workTypes).map(([value, label]) => ({ value, label }))}
              value={workType}
              onChange={(value) => value && setWorkType(value as keyof typeof workTypes)}
            />
          </HStack>
          <CodeSelect kind="reason" label="Причина" value={reason} error={errorOf('reason')} onChange={setReason} />
          <AjaxSelect<string>
            label="Диагноз"
            placeholder="Код или слова: J06, бронхит"
            load={loadTerms('icd10')}
            value={diagnosis}
            onChange={setDiagnosis}
          />
          <HStack gap={12} align="flex-start" wrap>
            <DateField
              label="Нетрудоспособен с"
              required
              value={dateFrom}
              error={errorOf('dateFrom')}
              onChange={setFrom}
            />
            <DateField
              label="По"
              required
              value={dateTo}
              error={errorOf('dateTo')}
              min={dateFrom ?? undefined}
              onChange={setTo}
            />
          </HStack>
        </VStack>
      )}
    </ActionDialog>
  )
}
