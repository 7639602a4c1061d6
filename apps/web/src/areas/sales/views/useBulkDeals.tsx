import { Menu } from '@mantine/core'
import { LOSS } from '@ordinator/model/areas/sales/funnel'
import { Lead, LeadResponsible, LeadTag, SalesSource } from '@ordinator/model/areas/sales/lead'
import { User } from '@ordinator/model/areas/staff/user'
import { IconArrowsMove, IconBuildingBroadcastTower, IconTag, IconTrash, IconUserPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { records } from '#base/client.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { isNamed } from '#kit/isNamed.ts'
import { notify } from '#kit/notify.tsx'
import type { NamedTag } from '#kit/TagPicker.tsx'
import { notifyBoardFailure } from '#records/board/cardStore.ts'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import type { BulkAction } from '#records/table/BulkBar.tsx'
import { BulkPanel } from '#records/table/BulkPanel.tsx'
import { bulkRecords, bulkToggle, useBulkRun } from '#records/table/useBulkRun.ts'
import type { MoveDeal } from '../board/dealStore.ts'
import type { Deal, StageRow } from '../board/deals.ts'
import { DealTagPicker } from './DealTagPicker.tsx'

const dealForms = ['сделка', 'сделки', 'сделок'] as const

interface Options {
  /** Includes deletion; a table has its own. */
  removable?: boolean
  /** Called with the changed deals. */
  changed?: (deals: number[]) => void
}

/** Bulk actions on deals, with undo. */
export function useBulkDeals(
  stages: readonly StageRow[],
  move: MoveDeal,
  { removable, changed }: Options = {},
): BulkAction<Deal>[] {
  const client = useQueryClient()
  const run = useBulkRun<Deal>({
    forms: dealForms,
    nameOf: (deal) => deal.title,
    paths: [Lead.path],
    changed: changed && ((deals) => changed(deals.map(({ id }) => id))),
  })

  const setSource = (all: Deal[], idSource: number | null) =>
    run(all, Lead, 'Источник изменён', async (deals) => {
      const before = deals.map((deal) => ({ id: deal.id, idSource: deal.idSource }))
      await bulkRecords.batch(Lead, { update: deals.map(({ id }) => ({ id, idSource })) })
      return () => bulkRecords.batch(Lead, { update: before })
    })

  /** Replaces all former responsible users. */
  const setResponsible = (all: Deal[], idUser: number) =>
    run(all, LeadResponsible, 'Ответственный назначен', async (deals) => {
      const gone = deals.flatMap((deal) =>
        deal.responsible.filter((one) => one.idUser !== idUser).map((one) => ({ ...one, idLead: deal.id })),
      )
      const without = deals.filter((deal) => !deal.responsible.some((one) => one.idUser === idUser))
      const made = await bulkRecords.batch(LeadResponsible, {
        create: without.map(({ id }) => ({ idLead: id, idUser })),
        delete: gone.map((one) => one.id),
      })
      return () =>
        bulkRecords.batch(LeadResponsible, {
          create: gone.map((one) => ({ idLead: one.idLead, idUser: one.idUser })),
          delete: made.create.map((one) => one.id),
        })
    })

  const toggleTag = (all: Deal[], tag: NamedTag) =>
    bulkToggle(
      run,
      LeadTag,
      { on: 'Метка добавлена', off: 'Метка снята' },
      (deal) => deal.tags.filter(isNamed(tag.name)).map(({ id }) => id),
      ({ id }) => ({ idLead: id, ...tag }),
    )(all)

  const toStage = async (all: Deal[], stage: StageRow) => {
    const [only] = all
    // A single deal uses the dialogs of a move; several cannot.
    if (all.length === 1 && only) {
      if (!(await move(only, stage))) return
      changed?.([only.id])
      return notify.undo(`Перемещено на «${stage.name}»: ${only.title}`, async () => {
        await records.update(Lead, only.id, { idStage: only.idStage }).catch(notifyBoardFailure)
        changed?.([only.id])
        await invalidateRecords(client, Lead.path)
      })
    }
    await run(all, Lead, `Перемещено на «${stage.name}»`, async (deals) => {
      await bulkRecords.batch(Lead, { update: deals.map(({ id }) => ({ id, idStage: stage.id })) })
      return () => bulkRecords.batch(Lead, { update: deals.map(({ id, idStage }) => ({ id, idStage })) })
    })
  }

  const remove = (all: Deal[]) =>
    run(all, Lead, 'Удалено', async (deals) => {
      await bulkRecords.batch(Lead, { delete: deals.map(({ id }) => id) })
      return async () => {
        for (const { id } of deals) await bulkRecords.restore(Lead, id)
      }
    })

  return [
    {
      key: 'stage',
      label: 'Этап',
      icon: IconArrowsMove,
      render: (deals) => (
        <Menu position="top-start" width={240}>
          <Menu.Target>
            <ActionButton label="Этап" variant="light" icon={IconArrowsMove} />
          </Menu.Target>
          <Menu.Dropdown>
            {stages.map((stage) => (
              <Menu.Item
                key={stage.id}
                // A loss needs a separate reason for each deal.
                disabled={stage.idType === LOSS && deals.length > 1}
                onClick={() => void toStage(deals, stage)}
              >
                {stage.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ),
    },
    {
      key: 'responsible',
      label: 'Ответственный',
      icon: IconUserPlus,
      render: (deals) => (
        <BulkPanel label="Ответственный" icon={IconUserPlus}>
          {(close) => (
            <RefSelect
              to={User.path}
              label="Новый ответственный"
              value={null}
              onChange={(id) => {
                if (id !== null) void setResponsible(deals, id)
                close()
              }}
            />
          )}
        </BulkPanel>
      ),
    },
    {
      key: 'source',
      label: 'Источник',
      icon: IconBuildingBroadcastTower,
      render: (deals) => (
        <BulkPanel label="Источник" icon={IconBuildingBroadcastTower}>
          {(close) => (
            <RefSelect
              to={SalesSource.path}
              label="Новый источник"
              value={null}
              onChange={(id) => {
                void setSource(deals, id)
                close()
              }}
            />
          )}
        </BulkPanel>
      ),
    },
    {
      key: 'tags',
      label: 'Метки',
      icon: IconTag,
      render: (deals) => (
        <BulkPanel label="Метки" icon={IconTag}>
          {() => (
            <DealTagPicker
              tags={(deals[0]?.tags ?? []).filter((tag) => deals.every((deal) => deal.tags.some(isNamed(tag.name))))}
              onToggle={(tag) => void toggleTag(deals, tag)}
            />
          )}
        </BulkPanel>
      ),
    },
    ...(removable ? [{ key: 'delete', label: 'Удалить', icon: IconTrash, danger: true, run: remove }] : []),
  ]
}
