import { UnstyledButton } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { Notification } from '@ordinator/model/areas/notifications/notification'
import { Funnel, WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { waitsForCheck } from '@ordinator/model/areas/tasks/mine'
import { Task } from '@ordinator/model/areas/tasks/task'
import { type Filter, totalOf } from '@ordinator/model/client'
import { openNotices } from '#areas/notifications/index.ts'
import { useBadges } from '#base/badges.ts'
import { thisMinute } from '#base/minute.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { dayOf, midnight } from '#kit/clock.ts'
import { FailedLoad } from '#kit/FailedLoad.tsx'
import { NumberTile } from '#kit/NumberTile.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { useList } from '#records/reads.ts'
import classes from './DashboardPage.module.css'

/** Badges are capped at this. */
const MAX_DEALS = 100
const MAX_FUNNELS = 200

/** Pending work of all areas with links; numbers equal those of the menu and the lists. */
export function Numbers() {
  const badges = useBadges()
  const actor = useActor()
  const day = dayOf(new Date())
  const waiting = useList(
    Task,
    { filter: waitsForCheck(actor.id) as Filter<typeof Task>, limit: 0, count: true, fields: ['id'] },
    { enabled: holds(actor, 'viewTasksManagement'), forbidden: 'silent' },
  )
  const unread = useList(
    Notification,
    { filter: { dateCreate: { gte: midnight(day, 0) } }, limit: 0, count: true, fields: ['id'] },
    { forbidden: 'silent' },
  )
  useRevealDelay(waiting.isLoading || unread.isPending)
  const notices = totalOf(unread.data?._meta) ?? 0
  const failed = [waiting, unread].find((list) => list.isError && !list.data)
  return (
    <nav aria-label="Что ждёт вас">
      {failed && <FailedLoad what="Не всё посчитано" load={failed} />}
      <Tiles tile={168} gap={8} px="var(--ord-page)" pb={16} className={classes.numbers}>
        <NumberTile count={badges.myTasks} label="Просрочено задач" late>
          {(face) => <PageLink page="myTasks" {...face} />}
        </NumberTile>
        <NumberTile count={totalOf(waiting.data?._meta)} label="Ждут моей проверки">
          {(face) => <PageLink page="myTasks" {...face} />}
        </NumberTile>
        {badges.deals && <LateSteps idUser={actor.id} />}
        <NumberTile count={badges.dealRequests} label="Неразобранные заявки">
          {(face) => <PageLink page="dealRequests" {...face} />}
        </NumberTile>
        <NumberTile count={badges.appeals} label="Мои обращения">
          {(face) => <PageLink page="appeals" search={{ owner: [actor.id], open: true }} {...face} />}
        </NumberTile>
        {badges.appeals && <LateAppeals idUser={actor.id} />}
        <NumberTile count={badges.regulations} label="Регламенты к ознакомлению">
          {(face) => <PageLink page="regulations" search={{ list: 'mine' }} {...face} />}
        </NumberTile>
        <NumberTile count={badges.news} label="Непрочитанные новости">
          {(face) => <PageLink page="news" search={{ unread: true }} {...face} />}
        </NumberTile>
        <NumberTile count={notices} label="Уведомления за сегодня">
          {(face) => <UnstyledButton onClick={openNotices} {...face} />}
        </NumberTile>
      </Tiles>
    </nav>
  )
}

/** Own appeals past their deadline. */
function LateAppeals({ idUser }: { idUser: number }) {
  const late = useList(
    Appeal,
    {
      filter: { idOwner: idUser, status: { neq: 'closed' }, deadline: { lt: thisMinute() } },
      limit: 0,
      count: true,
      fields: ['id'],
    },
    { forbidden: 'silent' },
  )
  useRevealDelay(late.isPending)
  return (
    <NumberTile count={totalOf(late.data?._meta)} label="Срок обращений вышел" late>
      {(face) => <PageLink page="appeals" search={{ owner: [idUser], late: true }} {...face} />}
    </NumberTile>
  )
}

/** Overdue next steps of deals, by funnel. */
function LateSteps({ idUser }: { idUser: number }) {
  const late = useList(
    Lead,
    {
      filter: { 'responsible.idUser': idUser, 'stage.idType': WORK, dateNextStep: { lt: thisMinute() } },
      fields: ['idFunnel'],
      limit: MAX_DEALS,
    },
    { forbidden: 'silent' },
  )
  const funnels = useList(
    Funnel,
    { sort: 'order', limit: MAX_FUNNELS, fields: ['name'] },
    { forbidden: 'silent', known: true },
  )
  useRevealDelay(late.isPending || funnels.isPending)
  const byFunnel = Map.groupBy(late.data?.items ?? [], ({ idFunnel }) => idFunnel)
  return (funnels.data?.items ?? []).map(({ id, name }) => (
    <NumberTile
      key={id}
      count={byFunnel.get(id)?.length}
      label={byFunnel.size > 1 ? `Просрочено шагов: ${name}` : 'Просрочено шагов сделок'}
      late
    >
      {(face) => <PageLink page="deals" search={{ funnel: id, mine: true, late: true, view: 'list' }} {...face} />}
    </NumberTile>
  ))
}
