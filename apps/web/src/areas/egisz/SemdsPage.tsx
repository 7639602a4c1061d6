import { holds } from '@ordinator/model/access'
import { Semd, signerRoles } from '@ordinator/model/areas/egisz/semd'
import { pageByKey } from '@ordinator/model/pages'
import { IconReceiptTax, IconSignature } from '@tabler/icons-react'
import { useState } from 'react'
import { CustomerLink } from '#areas/customers/index.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDate, formatDateTime } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useList } from '#records/reads.ts'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { BulkAction } from '#records/table/BulkBar.tsx'
import { Findings } from './Findings.tsx'
import { SemdHistory } from './SemdHistory.tsx'
import { SemdMark } from './SemdMark.tsx'
import { maySignNow, SemdTools } from './SemdTools.tsx'
import { SetUpNotice } from './SetUpNotice.tsx'
import { type SemdRow, SignDialog } from './SignDialog.tsx'
import { TaxDialog } from './TaxDialogLazy.ts'

/** Maximum documents per bulk signature. */
const MANY = 200

const semdFilters = filters(Semd, {
  status: choice('status', { any: 'Любое состояние' }),
  due: choice('dueRole', { any: 'Любая подпись' }),
  doctor: refs('idUser', { label: 'Врач', any: 'Любой врач' }),
  kind: refs('idKind', { label: 'Вид', any: 'Любой вид' }),
  date: period('dateDocument', { label: 'Дата' }),
  wrong: flag('С ошибками', { errorCount: { gt: 0 } }, { panel: 'Только с ошибками', toggle: true }),
})

const main: RecordParts<typeof Semd>['main'] = {
  label: 'Проверка',
  panel: (semd) => (
    <VStack gap={16}>
      <SemdTools semd={semd} />
      <VStack gap={2}>
        <SemdMark status={semd.status} />
        <Fine>
          Версия {semd.version} от {formatDateTime(semd.dateDocument)}
          {semd.emdrId && `, номер в РЭМД ${semd.emdrId}`}
        </Fine>
        {semd.cancelReason && <Fine>Отмена: {semd.cancelReason}</Fine>}
      </VStack>
      <Findings findings={semd.findings} error={semd.error} />
    </VStack>
  ),
}

const tabs: RecordParts<typeof Semd>['tabs'] = {
  signatures: {
    label: 'Подписи и ход',
    panel: (semd) => <SemdHistory key={semd.id} id={semd.id} version={semd._version} />,
  },
}

/** ЭМД: documents from examinations, their problems, signatures and register status. */
export default function SemdsPage() {
  const actor = useActor()
  const [signs, setSigns] = useState<readonly SemdRow[]>()
  const [taxing, setTaxing] = useState(false)
  const mayTax = holds(actor, 'manageSignatures') || holds(actor, 'viewAllCashDesks')
  const due = useList(Semd, {
    filter: { dueRole: { in: Object.keys(signerRoles) as (keyof typeof signerRoles)[] } },
    limit: MANY,
    sort: 'id',
  })
  const mine = (due.data?.items ?? []).filter((one) => maySignNow(actor, one))
  const actions: BulkAction<SemdRow>[] = [
    {
      key: 'sign',
      label: 'Подписать',
      icon: IconSignature,
      keeps: (row) => (maySignNow(actor, row) ? undefined : 'Сейчас подпишете не вы'),
      run: (rows) => {
        const able = rows.filter((row) => maySignNow(actor, row))
        if (able.length === 0) notify.error('Среди выбранных нет документов, которые подписываете вы')
        else setSigns(able)
        return false
      },
      opens: true,
    },
  ]
  return (
    <>
      <RegistryPage
        page={pageByKey('semds')}
        entity={Semd}
        expand={['customer']}
        filters={semdFilters}
        actions={actions}
        selectable
        main={main}
        tabs={tabs}
        layout={(list) => (
          <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
            <SetUpNotice />
            {list}
          </VStack>
        )}
        isMuted={({ status }) => status === 'cancelled' || status === 'replaced'}
        removable={false}
        wide
        tools={
          <>
            {mayTax && (
              <ActionButton
                label="Справка для налоговой"
                icon={IconReceiptTax}
                variant="default"
                onClick={() => setTaxing(true)}
              />
            )}
            {mine.length > 0 && (
              <ActionButton
                label={`Подписать все: ${mine.length}`}
                icon={IconSignature}
                onClick={() => setSigns(mine)}
              />
            )}
          </>
        }
        columns={[
          { key: 'title', width: 240 },
          {
            key: 'idCustomer',
            width: 180,
            sort: false,
            cell: ({ customer }) => (customer ? <CustomerLink customer={customer} /> : <Muted>не виден</Muted>),
          },
          { key: 'idUser', width: 160 },
          {
            key: 'dateDocument',
            label: 'Дата',
            width: 110,
            cell: ({ dateDocument }) => <span className="tabular">{formatDate(dateDocument)}</span>,
          },
          { key: 'status', width: 220, cell: ({ status }) => <SemdMark status={status} /> },
          { key: 'errorCount', label: 'Ошибок', width: 96, cell: ({ errorCount }) => errorCount || null },
          { key: 'emdrId', width: 190 },
        ]}
      />
      {taxing && <TaxDialog onClose={() => setTaxing(false)} />}
      {signs && <SignDialog rows={signs} onClose={() => setSigns(undefined)} />}
    </>
  )
}
