import { SegmentedControl } from '@mantine/core'
import { InsuranceProgramme } from '@ordinator/model/areas/filials/organization'
import type { PayerContract } from '@ordinator/model/areas/payers/contract'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { useState } from 'react'
import { ImportDialog } from '#areas/imports/index.ts'
import { api } from '#base/api.ts'
import { today } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { DateField } from '#kit/DateField.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { notifyTitledFailure } from '#records/notifyFailure.ts'

const kinds = { add: 'Прикрепление', remove: 'Открепление', full: 'Полный список' } as const

interface Props {
  contract: Row<typeof PayerContract>
  onClose: () => void
}

interface Chosen {
  idProgramme: number
  kind: keyof typeof kinds
  day: string
}

/** Loads a list of the insured: first what kind of a list it is, then the file with its rehearsal. */
export function ListDialog({ contract, onClose }: Props) {
  const [chosen, setChosen] = useState<Chosen>()
  if (chosen)
    return (
      <ImportDialog
        kind="insured"
        title={`${kinds[chosen.kind]}: договор ${contract.number}`}
        hint="XLSX, CSV или DBF (и CP866): «Полис», «Фамилия», «Имя», «Отчество», «Дата рождения», при желании «Программа», «Прикреплён с», «По». Человека узнаём по полису, карту — по имени и дню рождения"
        params={{ idContract: contract.id, ...chosen }}
        template
        onClose={() => {
          onClose()
          if (chosen.kind === 'full') void closeAbsent(contract.id, chosen.day)
        }}
      />
    )
  return (
    <FormDialog
      title="Список застрахованных"
      action="Выбрать файл"
      draft={{ kind: 'add' as keyof typeof kinds, idProgramme: null as number | null, day: today() as string | null }}
      required={{ idProgramme: 'Выберите программу', day: 'Укажите день' }}
      send={async ({ kind, idProgramme, day }) => {
        setChosen({ kind, idProgramme: idProgramme as number, day: day as string })
        return false
      }}
      done={() => false}
      onClose={onClose}
    >
      {({ draft: { kind }, value, choice }) => (
        <>
          <SegmentedControl
            fullWidth
            aria-label="Что за список"
            data={Object.entries(kinds).map(([key, label]) => ({ value: key, label }))}
            {...choice('kind')}
          />
          <RefSelect
            to={InsuranceProgramme.path}
            filter={{ idOrganization: contract.idPayer }}
            label="Программа, если в строке её нет"
            required
            {...value('idProgramme')}
          />
          <DateField label={kind === 'remove' ? 'Последний день' : 'Первый день'} required {...value('day')} />
        </>
      )}
    </FormDialog>
  )
}

/** After a full list: closes those whom it lacks, once the person has seen how many they are. */
async function closeAbsent(id: number, day: string): Promise<void> {
  try {
    const of = { params: { id } }
    const { closed, kept } = await api('POST /payer-contracts/:id/close-absent', { ...of, body: { day, dryRun: true } })
    const people = (count: number) => counted(count, ['человек', 'человека', 'человек'])
    if (closed === 0) return
    const text = `В полном списке: ${people(kept)}. Ещё ${people(closed)} в нём нет: их прикрепление закончится этим днём`
    if (!(await confirm({ title: 'Закрыть отсутствующих?', message: text, confirm: 'Закрыть' }))) return
    await api('POST /payer-contracts/:id/close-absent', { ...of, body: { day } })
    notify.success(`Закрыто: ${people(closed)}`)
  } catch (error) {
    notifyTitledFailure('Отсутствующие не закрыты', error)
  }
}
