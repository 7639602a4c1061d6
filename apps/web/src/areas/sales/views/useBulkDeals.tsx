import { Button, Menu } from '@mantine/core'
import { LOSS } from '@ordinator/model/areas/sales/funnel'
import { Lead, LeadResponsible, LeadTag, SalesSource } from '@ordinator/model/areas/sales/lead'
import { User } from '@ordinator/model/areas/staff/user'
import type { Entity } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconArrowsMove, IconBuildingBroadcastTower, IconTag, IconUserPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, errorMessage } from '../../../app/apiError.ts'
import { notify } from '../../../kit/notify.tsx'
import type { NamedTag } from '../../../kit/TagPicker.tsx'
import { records } from '../../../records/client.ts'
import { RefSelect } from '../../../records/fields/RefSelect.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import type { BulkAction } from '../../../records/table/BulkBar.tsx'
import { BulkPanel } from '../../../records/table/BulkPanel.tsx'
import type { MoveDeal } from '../board/dealStore.ts'
import type { Deal, StageRow } from '../board/deals.ts'
import { DealTagPicker } from './DealTagPicker.tsx'

const dealForms = ['сделка', 'сделки', 'сделок'] as const
/** Deals named when a change of many is refused. */
const MAX_NAMED = 3

/** What can be done with several deals at once: each is one request, all or nothing, and can be undone. */
export function useBulkDeals(stages: readonly StageRow[], move: MoveDeal): BulkAction<Deal>[] {
  const client = useQueryClient()

  /** `write` does it in one request and answers how to undo it. */
  async function run(deals: Deal[], entity: Entity, done: string, write: () => Promise<() => Promise<unknown>>) {
    const settle = () => {
      for (const path of new Set([entity.path, Lead.path])) void invalidateRecords(client, path)
    }
    try {
      const undo = await write()
      notify.undo(`${done}: ${counted(deals.length, dealForms)}`, async () => {
        await undo().catch((error) => failed(error, deals))
        settle()
      })
      return true
    } catch (error) {
      failed(error, deals)
      return false
    } finally {
      settle()
    }
  }

  const setSource = (deals: Deal[], idSource: number | null) =>
    run(deals, Lead, 'Источник изменён', async () => {
      const before = deals.map((deal) => ({ id: deal.id, idSource: deal.idSource }))
      await records.batch(Lead, { update: deals.map(({ id }) => ({ id, idSource })) })
      return () => records.batch(Lead, { update: before })
    })

  /** The new one stands in the place of all that were before. */
  const setResponsible = (deals: Deal[], idUser: number) =>
    run(deals, LeadResponsible, 'Ответственный назначен', async () => {
      const gone = deals.flatMap((deal) =>
        deal.responsible.filter((one) => one.idUser !== idUser).map((one) => ({ ...one, idLead: deal.id })),
      )
      const without = deals.filter((deal) => !deal.responsible.some((one) => one.idUser === idUser))
      const made = await records.batch(LeadResponsible, {
        create: without.map(({ id }) => ({ idLead: id, idUser })),
        delete: gone.map((one) => one.id),
      })
      return () =>
        records.batch(LeadResponsible, {
          create: gone.map((one) => ({ idLead: one.idLead, idUser: one.idUser })),
          delete: made.create.map((one) => one.id),
        })
    })

  const toggleTag = (deals: Deal[], tag: NamedTag) => {
    const same = (name: string) => name.toLowerCase() === tag.name.toLowerCase()
    const there = deals.flatMap((deal) => deal.tags.filter((one) => same(one.name)))
    const without = deals.filter((deal) => !deal.tags.some((one) => same(one.name)))
    if (without.length === 0)
      return run(deals, LeadTag, 'Метка снята', async () => {
        await records.batch(LeadTag, { delete: there.map((one) => one.id) })
        return () => records.batch(LeadTag, { create: deals.map(({ id }) => ({ idLead: id, ...tag })) })
      })
    return run(without, LeadTag, 'Метка добавлена', async () => {
      const made = await records.batch(LeadTag, { create: without.map(({ id }) => ({ idLead: id, ...tag })) })
      return () => records.batch(LeadTag, { delete: made.create.map((one) => one.id) })
    })
  }

  const toStage = async (deals: Deal[], stage: StageRow) => {
    const [only] = deals
    // One deal goes with the dialogs of a move; many at once cannot answer for each.
    if (deals.length === 1 && only) return void (await move(only, stage))
    await run(deals, Lead, `Перемещено на «${stage.name}»`, async () => {
      await records.batch(Lead, { update: deals.map(({ id }) => ({ id, idStage: stage.id })) })
      return () => records.batch(Lead, { update: deals.map(({ id, idStage }) => ({ id, idStage })) })
    })
  }

  return [
    {
      key: 'stage',
      label: 'Этап',
      icon: IconArrowsMove,
      render: (deals) => (
        <Menu position="top-start" width={240}>
          <Menu.Target>
            <Button variant="light" leftSection={<IconArrowsMove size={18} />}>
              Этап
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {stages.map((stage) => (
              <Menu.Item
                key={stage.id}
                // A loss wants its reason, which is each deal's own.
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
              tags={(deals[0]?.tags ?? []).filter((tag) =>
                deals.every((deal) => deal.tags.some((one) => one.name.toLowerCase() === tag.name.toLowerCase())),
              )}
              onToggle={(tag) => void toggleTag(deals, tag)}
            />
          )}
        </BulkPanel>
      ),
    },
  ]
}

/** Errors of a batch name their items: `update[3].idStage`. Nothing of the batch was written then. */
function failed(error: unknown, deals: Deal[]): void {
  if (!(error instanceof ApiError)) return void notify.error(errorMessage(error))
  if (error.status === 403 || error.status === 401 || error.code === 'network') return
  const lines = (error.fields ?? []).flatMap(({ field, message }) => {
    const at = /\[(\d+)\]/.exec(field)?.[1]
    const deal = at === undefined ? undefined : deals[Number(at)]
    return deal ? [`«${deal.title}»: ${message}`] : [message]
  })
  notify.error(lines.slice(0, MAX_NAMED).join('\n') || errorMessage(error), { title: 'Ничего не изменено' })
}
