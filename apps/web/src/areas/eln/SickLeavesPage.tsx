import { holds } from '@ordinator/model/access'
import { codeText } from '@ordinator/model/areas/eln/codes'
import { dueKinds, localStatuses, numberText, sfrStates } from '@ordinator/model/areas/eln/rules'
import { SickLeave } from '@ordinator/model/areas/eln/sickLeave'
import type { Expanded } from '@ordinator/model/client'
import { formatDay } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { IconSignature } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerChip } from '#areas/customers/index.ts'
import { SignDialog, type ToSign } from '#areas/signatures/index.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { retries } from '#records/reads.ts'
import type { ColumnSpec } from '#records/table/columns.ts'
import { LeaveFigures } from './LeaveFigures.tsx'
import { DueMark, LeaveStatus, SfrStateText } from './LeaveStatus.tsx'
import { live, useCodes, useReread } from './leave.ts'
import { NewLeaveDialog } from './NewLeaveDialog.tsx'
import { PARTS, partToSign } from './signParts.ts'

type Line = Expanded<typeof SickLeave, 'customer' | 'doctor'>

export const leaveFilters = filters(SickLeave, {
  due: choice('due', { options: dueKinds, any: 'Что сделать' }),
  status: choice('localStatus', { options: localStatuses, any: 'Любое состояние' }),
  sfr: choice('stateSfr', { label: 'Состояние в СФР', options: sfrStates, any: 'Любое в СФР' }),
  doctor: refs('idDoctor', { label: 'Врач', any: 'Любой врач' }),
  issued: period('dateIssue', { label: 'Выдан' }),
  commission: flag('ВК', { hasChairman: true }, { panel: 'Только продлённые через ВК', toggle: true }),
})

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'lnCode',
    label: 'Лист',
    width: 150,
    cell: ({ lnCode }) =>
      lnCode ? <span className="tabular nowrap">{numberText(lnCode)}</span> : <Muted>без номера</Muted>,
  },
  { key: 'idCustomer', width: 220, cell: ({ customer }) => customer && <CustomerChip customer={customer} /> },
  { key: 'due', width: 200, cell: ({ due }) => <DueMark due={due} /> },
  {
    key: 'dateTo',
    label: 'По',
    width: 110,
    cell: ({ dateTo }) => (dateTo ? <span className="tabular">{formatDay(dateTo)}</span> : <Muted>—</Muted>),
  },
  { key: 'days', width: 70, align: 'right' },
  { key: 'localStatus', width: 150, cell: ({ localStatus }) => <LeaveStatus status={localStatus} /> },
  { key: 'stateSfr', width: 200, cell: ({ stateSfr }) => <SfrStateText state={stateSfr} /> },
  { key: 'reason', width: 210, cell: ({ reason }) => <Reason code={reason} /> },
  { key: 'hasChairman', label: 'ВК', width: 60 },
  { key: 'idDoctor', width: 170, cell: ({ doctor }) => doctor && <UserLink user={doctor} /> },
  {
    key: 'dateFrom',
    label: 'С',
    width: 110,
    cell: ({ dateFrom }) => (dateFrom ? formatDay(dateFrom) : <Muted>—</Muted>),
  },
  { key: 'employer', width: 220 },
]

function Reason({ code }: { code: string | null }) {
  const codes = useCodes(undefined)
  return <span className="nowrap">{codeText(codes?.reason, code)}</span>
}

/** Signs everything of the day that waits for the user, in sequence. */
function SignWaiting() {
  const reread = useReread()
  const cache = useQueryClient()
  const actor = useActor()
  const mayEver = holds(actor, 'editEln') || holds(actor, 'signElnChairman')
  const [signs, setSigns] = useState<readonly ToSign[]>()
  const { data, isFetching } = useQuery({
    queryKey: ['eln', 'parts'],
    queryFn: ({ signal }) => api('GET /eln/parts', {}, { signal, forbidden: 'silent' }),
    retry: retries,
    enabled: mayEver,
    meta: { live: ['eln', ...live] },
  })
  const parts = data?.parts ?? []
  return (
    <>
      {parts.length > 0 && (
        <ActionButton
          label={`Подписать: ${parts.length}`}
          icon={IconSignature}
          variant="default"
          // The bytes of a part change with its sheet: what is being reloaded is not offered for signing.
          disabled={isFetching}
          onClick={() => setSigns(parts.map((part) => partToSign(part.idSickLeave, part, part.patient)))}
        />
      )}
      {signs && (
        <SignDialog
          items={signs}
          forms={PARTS}
          onSigned={async () => {
            await reread()
            await cache.invalidateQueries({ queryKey: ['eln', 'parts'] })
          }}
          onClose={() => setSigns(undefined)}
        />
      )}
    </>
  )
}

/** Больничные листы: work due today, and all sheets. */
export default function SickLeavesPage() {
  return (
    <RegistryPage
      page={pageByKey('sickLeaves')}
      entity={SickLeave}
      pageOf={(id) => pagePath('sickLeave', { id })}
      expand={['customer', 'doctor']}
      columns={columns}
      filters={leaveFilters}
      create={NewLeaveDialog}
      tools={<SignWaiting />}
      isMuted={({ stateSfr }) => stateSfr === '090'}
      layout={(list) => (
        <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
          <LeaveFigures />
          {list}
        </VStack>
      )}
    />
  )
}
