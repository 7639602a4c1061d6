import { InsuranceProgramme } from '@ordinator/model/areas/filials/organization'
import { PayerContract, ProgrammeRule } from '@ordinator/model/areas/payers/contract'
import { limitPeriods, ruleKinds } from '@ordinator/model/areas/payers/rules'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconShieldSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useList } from '#records/reads.ts'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { CheckDialog } from './CheckDialog.tsx'
import { ListDialog } from './ListDialog.tsx'

type Contract = Row<typeof PayerContract>

const tabs: RecordParts<typeof PayerContract>['tabs'] = {
  programmes: { label: 'Программы', panel: (row) => <Programmes contract={row} /> },
}

/** Плательщики: contracts with their programmes, rules, lists. */
export default function ContractsPage() {
  return (
    <RegistryPage
      page={pageByKey('payers')}
      entity={PayerContract}
      tabs={tabs}
      isMuted={({ active }) => !active}
      wide
    />
  )
}

/** Programmes of the payer, each with its rules in the order in which they are tried. */
function Programmes({ contract }: { contract: Contract }) {
  const [open, setOpen] = useState<'check' | 'list'>()
  const list = useList(InsuranceProgramme, { filter: { idOrganization: contract.idPayer }, limit: 100 })
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <LinesSkeleton lines={3} />
  return (
    <VStack gap={16}>
      <HStack wrap>
        <ActionButton
          label="Проверить услугу на программе"
          variant="default"
          icon={IconShieldSearch}
          onClick={() => setOpen('check')}
        />
        <ActionButton label="Загрузить список застрахованных" variant="default" onClick={() => setOpen('list')} />
      </HStack>
      {list.data.items.length === 0 && (
        <EmptyState
          title="Программ нет"
          text="Программы заводят в карточке плательщика: «Настройки → Организации → Программы ДМС»"
        />
      )}
      {list.data.items.map(({ id, name }) => (
        <Rules key={id} idProgramme={id} name={name} />
      ))}
      {open === 'check' && <CheckDialog contract={contract} onClose={() => setOpen(undefined)} />}
      {open === 'list' && <ListDialog contract={contract} onClose={() => setOpen(undefined)} />}
    </VStack>
  )
}

const Rules = ({ idProgramme, name }: { idProgramme: number; name: string }) => (
  <PartList
    entity={ProgrammeRule}
    of={{ idProgramme }}
    title={`${name}: правила по порядку`}
    fields={['kind', 'idService', 'idGroup', 'codeMask', 'diagnoses', 'qty', 'sum', 'period', 'order']}
    expand={['service', 'group']}
    face={({ kind, service, group, codeMask, diagnoses, qty, sum, period }) => (
      <>
        {ruleKinds[kind]}:{' '}
        {[service?.nameService, group?.nameServiceGroup, codeMask, diagnoses].filter(Boolean).join(', ') ||
          'всё остальное'}
        {kind === 'limit' && (
          <Fine component="div">
            {[qty && `${qty} раз`, sum && formatMoney(sum)].filter(Boolean).join(', ')} за{' '}
            {limitPeriods[period].toLowerCase()}
          </Fine>
        )}
      </>
    )}
  />
)
