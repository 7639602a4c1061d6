import { can } from '@ordinator/model/access'
import { PayerContract } from '@ordinator/model/areas/payers/contract'
import { PayerRegistry } from '@ordinator/model/areas/payers/registry'
import { pageByKey } from '@ordinator/model/pages'
import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { RegistryPanel } from './RegistryPanel.tsx'

const main: RecordParts<typeof PayerRegistry>['main'] = {
  label: 'Услуги и решения',
  panel: (row) => <RegistryPanel registry={row} />,
}

/** Реестры плательщикам: collected by month, sent, answered, paid. */
export default function RegistriesPage() {
  return (
    <RegistryPage page={pageByKey('payerRegistries')} entity={PayerRegistry} main={main} tools={<Collect />} wide />
  )
}

function Collect() {
  const [open, setOpen] = useState(false)
  const actor = useActor()
  const go = useGo()
  const mayCollect = can(actor, 'create', PayerContract)
  useHotkey('n', () => setOpen(true), { label: 'Собрать реестр', enabled: mayCollect && !open })
  if (!mayCollect) return null
  return (
    <>
      <ActionButton label="Собрать реестр" icon={IconListCheck} onClick={() => setOpen(true)} />
      {open && (
        <FormDialog
          title="Собрать реестр за месяц"
          action="Собрать"
          draft={{ idContract: null as number | null, month: today() as string | null }}
          required={{ idContract: 'Выберите договор', month: 'Укажите любой день месяца' }}
          send={({ idContract, month }) =>
            api('POST /payer-registries/collect', {
              body: { idContract: idContract as number, month: month as string },
            })
          }
          done={({ id }) => {
            setOpen(false)
            void go({ page: 'payerRegistries', search: { open: id } })
          }}
          onClose={() => setOpen(false)}
        >
          {({ value }) => (
            <>
              <RefSelect to={PayerContract.path} label="Договор" required {...value('idContract')} />
              <DateField label="Месяц (любой его день)" required {...value('month')} />
            </>
          )}
        </FormDialog>
      )}
    </>
  )
}
