import { Filial } from '@ordinator/model/areas/filials/filial'
import { Sequence } from '@ordinator/model/areas/filials/sequence'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import type { ComponentProps } from 'react'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { useList } from '#records/reads.ts'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { MaskField } from './MaskField.tsx'
import { NextNumbers } from './NextNumbers.tsx'
import { type Branch, nextNumbers } from './nextNumbers.ts'

type Line = Row<typeof Sequence>

const MAX = 500

const tabs: RecordParts<typeof Sequence>['tabs'] = {
  next: { label: 'Следующие номера', panel: (sequence) => <Next sequence={sequence} /> },
}

const form = () => (
  <VStack gap={16}>
    <RecordFields names={['name', 'code']} autoFocus />
    <MaskField />
    <RecordFields names={['reset', 'perFilial']} />
  </VStack>
)

/** Нумерация: numbering of documents. */
export default function SequencesPage() {
  const branches = useBranches()
  const columns: ComponentProps<typeof RegistryPage<typeof Sequence>>['columns'] = [
    'name',
    'code',
    'mask',
    {
      key: 'next',
      label: 'Следующий номер',
      width: 220,
      sort: false,
      cell: (row) => <NextCell row={row} branches={branches} />,
    },
    'reset',
    { key: 'perFilial', label: 'По филиалам', width: 130 },
  ]
  return <RegistryPage page={pageByKey('sequences')} entity={Sequence} columns={columns} tabs={tabs} form={form} />
}

function NextCell({ row, branches }: { row: Line; branches: readonly Branch[] }) {
  const [first, ...more] = nextNumbers(row, branches)
  if (!first) return <Muted>нет филиалов с кодом</Muted>
  return (
    <span className="tabular">
      {first.text}
      {more.length > 0 && <Muted> и ещё {more.length}</Muted>}
    </span>
  )
}

const Next = ({ sequence }: { sequence: Line }) => <NextNumbers sequence={sequence} branches={useBranches()} />

/** Branches with codes for numbers. */
function useBranches(): readonly Branch[] {
  const list = useList(
    Filial,
    { fields: ['id', 'nameFilial', 'filialCode', 'timeZone'], sort: 'nameFilial', limit: MAX },
    { forbidden: 'silent' },
  )
  return list.data?.items ?? []
}
