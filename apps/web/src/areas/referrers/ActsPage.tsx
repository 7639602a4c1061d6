import { can } from '@ordinator/model/access'
import { Referrer, ReferrerAct } from '@ordinator/model/areas/referrers/referrer'
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
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { ActPanel } from './ActPanel.tsx'

const main: RecordParts<typeof ReferrerAct>['main'] = { label: 'Строки', panel: (row) => <ActPanel act={row} /> }

/** Акты направивших: collected by month, signed, paid. */
export default function ActsPage() {
  return <RegistryPage page={pageByKey('referrerActs')} entity={ReferrerAct} main={main} tools={<Collect />} />
}

function Collect() {
  const [open, setOpen] = useState(false)
  const actor = useActor()
  const go = useGo()
  if (!can(actor, 'create', Referrer)) return null
  return (
    <>
      <ActionButton label="Собрать акт" icon={IconListCheck} onClick={() => setOpen(true)} />
      {open && (
        <FormDialog
          title="Собрать акт за месяц"
          action="Собрать"
          draft={{ idReferrer: null as number | null, month: today() as string | null }}
          required={{ idReferrer: 'Выберите направившего', month: 'Укажите любой день месяца' }}
          send={({ idReferrer, month }) =>
            api('POST /referrer-acts/collect', { body: { idReferrer: idReferrer as number, month: month as string } })
          }
          done={({ id }) => {
            setOpen(false)
            void go({ page: 'referrerActs', search: { open: id } })
          }}
          onClose={() => setOpen(false)}
        >
          {({ value }) => (
            <>
              <RefSelect to={Referrer.path} label="Направивший" required {...value('idReferrer')} />
              <DateField label="Месяц (любой его день)" required {...value('month')} />
            </>
          )}
        </FormDialog>
      )}
    </>
  )
}
