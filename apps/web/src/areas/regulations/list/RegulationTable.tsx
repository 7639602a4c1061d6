import { Button } from '@mantine/core'
import { can } from '@ordinator/model/access'
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { isDraft, whyKept } from '@ordinator/model/areas/regulations/status'
import type { AnyFilter } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { IconEye, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useActor } from '#base/session.ts'
import { formatDate, formatDateTime } from '#kit/clock.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RecordTable } from '#records/RecordTable.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { type RegulationsAddress, regulationHref, type SetRegulationsAddress } from '../address.ts'
import { regulationFilters } from '../regulationFilters.ts'
import { StatusChip } from '../StatusChip.tsx'
import { toastLoadFailed } from '../toasts.ts'
import { useRemoveRegulations } from '../useRemoveRegulations.ts'
import { FilterLine } from './FilterLine.tsx'
import classes from './RegulationTable.module.css'

type Line = Row<typeof Regulation>

/** Spec §9. */
const defaults = { limit: 15, sort: 'name' }

interface Props {
  address: RegulationsAddress
  setAddress: SetRegulationsAddress
  /** Absent: without the right. */
  onCreate?: () => void
}

/** Regulations visible to the user; superseded versions only if their status is selected. */
export function RegulationTable({ address, setAddress, onCreate }: Props) {
  const actor = useActor()
  const mayDelete = can(actor, 'delete', Regulation)
  const filter = useMemo(() => filterOf(address), [address])
  const remove = useRemoveRegulations()
  const open = (id: number, mode?: 'edit') => setAddress({ id, mode })
  const columns = useColumns({ onView: open, onEdit: (id) => open(id, 'edit'), onDelete: (row) => void remove([row]) })
  return (
    <RecordTable
      entity={Regulation}
      bare
      tools={<FilterLine address={address} setAddress={setAddress} />}
      columns={columns}
      filter={filter}
      defaults={defaults}
      onOpen={({ id }) => open(id)}
      hrefOf={({ id }) => regulationHref(id)}
      isMuted={(row) => row.status === 'archived'}
      selectable={mayDelete}
      removable={false}
      onFailed={toastLoadFailed}
      actions={[
        {
          key: 'delete',
          label: 'Удалить',
          icon: IconTrash,
          danger: true,
          allowed: (rows) => rows.some(({ status }) => !whyKept[status]),
          run: remove,
        },
      ]}
      empty={{
        title: regulationFilters.count(address) > 0 ? 'Регламенты не найдены' : 'Регламентов пока нет',
        text:
          regulationFilters.count(address) > 0
            ? 'Измените условия поиска или сбросьте фильтры'
            : 'Регламент собирает порядок работы в шаги: с картинками, скриптами и ответственными',
        action: onCreate && <Button onClick={onCreate}>Создать первый регламент</Button>,
      }}
    />
  )
}

/** Superseded versions are shown only if their status is selected. */
function filterOf(address: RegulationsAddress): AnyFilter {
  const chosen = regulationFilters.conditions(address)
  return { and: address.status ? chosen : [...chosen, { isSuperseded: false }] }
}

interface Acts {
  onView: (id: number) => void
  onEdit: (id: number) => void
  onDelete: (row: Line) => void
}

function useColumns(acts: Acts): readonly ColumnSpec<Line>[] {
  const actor = useActor()
  const mayEdit = can(actor, 'update', Regulation)
  const mayDelete = can(actor, 'delete', Regulation)
  return [
    {
      key: 'name',
      width: 320,
      cell: ({ name, description, version }) => (
        <VStack component="span" gap={0} miw={0}>
          <span className={classes.title} title={name}>
            {name}
            {version > 1 && <Fine ml={8}>версия {version}</Fine>}
          </span>
          {description && (
            <Fine truncate title={description}>
              {description}
            </Fine>
          )}
        </VStack>
      ),
    },
    { key: 'type', width: 170 },
    { key: 'status', width: 130, cell: ({ status }) => <StatusChip status={status} /> },
    { key: 'stagesCount', label: 'Шагов', width: 100, align: 'right', sort: 'stagesCount' },
    {
      key: 'updated_at',
      label: 'Обновлён',
      width: 160,
      cell: (row) => (
        <VStack component="span" gap={0} miw={0}>
          <span className="tabular">{formatDateTime(row.updated_at)}</span>
          <Fine>создан {formatDate(row.created_at)}</Fine>
        </VStack>
      ),
    },
    {
      key: 'actions',
      label: 'Действия',
      actions: true,
      width: mayEdit ? 130 : 100,
      sort: false,
      cell: (row) => (
        <span className={classes.actions}>
          <IconButton
            icon={IconEye}
            size={28}
            label={`Просмотреть «${row.name}»`}
            title="Просмотреть"
            onClick={() => acts.onView(row.id)}
          />
          {mayEdit && (
            <IconButton
              icon={IconPencil}
              size={28}
              label={`Изменить «${row.name}»`}
              title={isDraft(row.status) ? 'Изменить' : 'Изменить можно черновик; у действующего создайте новую версию'}
              disabled={!isDraft(row.status)}
              onClick={() => acts.onEdit(row.id)}
            />
          )}
          {mayDelete && (
            <IconButton
              icon={IconTrash}
              size={28}
              label={`Удалить «${row.name}»`}
              title={whyKept[row.status] ?? 'Удалить'}
              disabled={whyKept[row.status] !== undefined}
              onClick={() => acts.onDelete(row)}
            />
          )}
        </span>
      ),
    },
  ]
}
