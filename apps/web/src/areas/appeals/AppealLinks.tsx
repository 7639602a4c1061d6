import { Anchor } from '@mantine/core'
import { can } from '@ordinator/model/access'
import type { AppealLinkType } from '@ordinator/model/areas/appeals/appeal'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { Assigned } from '@ordinator/model/areas/tasks/task'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { formatWall } from '@ordinator/model/format'
import type { ReactNode } from 'react'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import type { OpenAppeal } from './useAppeal.ts'

/** Maximum links shown per kind. */
const MOST = 50

/** Visits, deals and tasks created from an appeal; those without access are only counted. */
export function AppealLinks({ appeal: { links } }: { appeal: OpenAppeal }) {
  const actor = useActor()
  const idsOf = (type: AppealLinkType) =>
    links.filter(({ entityType }) => entityType === type).map(({ idEntity }) => idEntity)
  const visits = idsOf('appointments')
  const deals = idsOf('leads')
  const tasks = idsOf('tasks')
  const silent = (ids: readonly number[], sees: boolean) => ({
    forbidden: 'silent' as const,
    enabled: sees && ids.length > 0,
  })
  const visit = useList(
    Appointment,
    { filter: { id: { in: visits } }, limit: MOST },
    silent(visits, can(actor, 'view', Appointment)),
  )
  const deal = useList(
    Lead,
    { filter: { id: { in: deals } }, expand: ['stage'], limit: MOST },
    silent(deals, can(actor, 'view', Lead)),
  )
  const card = useList(
    Assigned,
    { filter: { idTask: { in: tasks } }, expand: ['task', 'column'], limit: MOST },
    silent(tasks, can(actor, 'view', Assigned)),
  )
  return (
    <>
      <Part title="Записи" empty="Записи не назначены" count={visits.length} isPending={visit.isLoading}>
        {visit.data?.items.map((one) => (
          <HStack key={one.id} component="li" wrap gap={8}>
            <Anchor
              inherit
              renderRoot={(props) => (
                <PageLink
                  {...props}
                  page="calendar"
                  search={{ filial: one.idFilial, day: one.localDate, visit: one.id }}
                />
              )}
            >
              {one.services || 'Запись'}
            </Anchor>
            <Fine className="tabular">{formatWall(one)}</Fine>
          </HStack>
        ))}
      </Part>
      <Part title="Сделки" empty="Сделки не назначены" count={deals.length} isPending={deal.isLoading}>
        {deal.data?.items.map((one) => (
          <HStack key={one.id} component="li" wrap gap={8}>
            <Anchor
              inherit
              renderRoot={(props) => (
                <PageLink {...props} page="deals" search={{ funnel: one.idFunnel ?? undefined, lead: one.id }} />
              )}
            >
              {one.title}
            </Anchor>
            <Fine>{one.stage?.name}</Fine>
          </HStack>
        ))}
      </Part>
      <Part title="Задачи" empty="Задачи не назначены" count={tasks.length} isPending={card.isLoading}>
        {card.data?.items.map((one) => (
          <HStack key={one.id} component="li" wrap gap={8}>
            <Anchor
              inherit
              renderRoot={(props) => (
                <PageLink {...props} page="tasks" search={{ board: one.column?.idBoard, assignedColumn: one.id }} />
              )}
            >
              {one.task.name}
            </Anchor>
            <Fine>{one.task.isCompleted ? 'завершена' : one.column?.name}</Fine>
          </HStack>
        ))}
      </Part>
    </>
  )
}

interface PartProps {
  title: string
  /** Spec §8. */
  empty: string
  count: number
  isPending: boolean
  children: ReactNode[] | undefined
}

function Part({ title, empty, count, isPending, children = [] }: PartProps) {
  const hidden = isPending ? 0 : count - children.length
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {count === 0 ? (
        <Muted>{empty}</Muted>
      ) : (
        <VStack component="ul" gap={4} mt={4}>
          {children}
          {hidden > 0 && <Muted component="li">Ещё {hidden}: вам не видны или удалены</Muted>}
        </VStack>
      )}
    </section>
  )
}
