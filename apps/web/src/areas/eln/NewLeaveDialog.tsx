import { Select, TextInput } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { workTypes } from '@ordinator/model/areas/eln/rules'
import { SickLeave, SickPeriod } from '@ordinator/model/areas/eln/sickLeave'
import { User } from '@ordinator/model/areas/staff/user'
import { messages } from '@ordinator/model/messages'
import { plusDays } from '@ordinator/model/zone'
import { loadTerms } from '#areas/dictionaries/index.ts'
import { useGo } from '#base/address.ts'
import { recordsWith } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
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
  return (
    <FormDialog
      title="Новый больничный лист"
      action="Открыть лист"
      draft={{
        idCustomer: idCustomer ?? null,
        idDoctor: holds(actor, 'viewAllEln') ? null : (actor.id ?? null),
        employer: '',
        workType: 'main' as keyof typeof workTypes,
        reason: '01' as string | null,
        diagnosis: null as { value: string; label: string } | null,
        dateFrom: today() as string | null,
        dateTo: plusDays(today(), FIRST_DAYS - 1) as string | null,
      }}
      required={{
        idCustomer: messages.required,
        idDoctor: messages.required,
        dateFrom: messages.required,
        dateTo: messages.required,
      }}
      faults={({ dateFrom, dateTo }) =>
        dateFrom && dateTo && dateTo < dateFrom ? { dateTo: 'Раньше, чем начинается' } : {}
      }
      send={async ({ employer, diagnosis, dateFrom, dateTo, ...leave }) => {
        const made = await asked.create(SickLeave, {
          ...leave,
          ...(employer && { employer }),
          ...(diagnosis && { diagnosis: diagnosis.value }),
        })
        await asked.create(SickPeriod, { idSickLeave: made.id, idDoctor: leave.idDoctor, dateFrom, dateTo })
        return made
      }}
      done={async (made) => {
        await reread()
        await go({ page: 'sickLeave', params: { id: made.id } })
      }}
      onClose={onClose}
    >
      {({ draft: { diagnosis, dateFrom }, text, value, choice, set }) => (
        <VStack gap={12}>
          {idCustomer === undefined && (
            <RefSelect to={Customer.path} label="Пациент" required {...value('idCustomer')} />
          )}
          <RefSelect to={User.path} label="Врач" required {...value('idDoctor')} />
          <HStack gap={12} align="flex-start" wrap>
            <TextInput
              flex="2 1 220px"
              label="Место работы"
              placeholder="Пусто — как в карте пациента"
              maxLength={255}
              {...text('employer')}
            />
            <Select
              flex="1 1 180px"
              label="Вид работы"
              allowDeselect={false}
              data={Object.entries(workTypes).map(([value, label]) => ({ value, label }))}
              {...choice('workType')}
            />
          </HStack>
          <CodeSelect kind="reason" label="Причина" {...value('reason')} />
          <AjaxSelect<string>
            label="Диагноз"
            placeholder="Код или слова: J06, бронхит"
            load={loadTerms('icd10')}
            value={diagnosis}
            onChange={(chosen) => set({ diagnosis: chosen })}
          />
          <HStack gap={12} align="flex-start" wrap>
            <DateField label="Нетрудоспособен с" required {...value('dateFrom')} />
            <DateField label="По" required min={dateFrom ?? undefined} {...value('dateTo')} />
          </HStack>
        </VStack>
      )}
    </FormDialog>
  )
}
