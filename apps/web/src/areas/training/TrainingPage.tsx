import { Alert, Progress } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import {
  type TrainingRoleKey,
  tasksOf,
  trainedReaders,
  trainingRoleKeys,
  trainingRoles,
} from '@ordinator/model/areas/training/tasks'
import { pageByKey } from '@ordinator/model/pages'
import { IconCircle, IconCircleCheckFilled, IconLogin2, IconRotate } from '@tabler/icons-react'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDate } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { isTraining } from '#kit/root.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, Tiles, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { InsidePage } from './InsidePage.tsx'
import classes from './TrainingPage.module.css'
import { type Look, useEntering, useReset, useTrained, useTraining } from './useTraining.ts'

const page = pageByKey('training')

/** Учебная клиника: entrance by role, own done tasks, and for the manager those of all. */
export default function TrainingPage() {
  return isTraining ? <InsidePage /> : <Outside />
}

function Outside() {
  const look = useTraining()
  const actor = useActor()
  const { wanted, enter } = useEntering(look.data?.state)
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={(holds(actor, 'editUsers') || holds(actor, 'mainSettings')) && <Reset state={look.data?.state} />}
      />
      <div className={classes.page}>
        <Muted component="p" m={0}>
          Здесь всё как в клинике, только ненастоящее: пациенты выдуманы, деньги и сообщения никуда не уходят, а
          пациенты пишут и звонят сами. Выберите роль и выполните пять заданий: программа отметит их сама. Пароль не
          нужен.
        </Muted>
        {look.isError && !look.data ? (
          <ErrorState title="Учебная клиника не отвечает" error={look.error} onRetry={() => void look.refetch()} />
        ) : !look.data ? (
          <LinesSkeleton lines={8} />
        ) : (
          <>
            {look.data.state === 'making' && (
              <Alert variant="light" title="Учебная клиника готовится" role="status">
                <VStack gap={8}>
                  <span>
                    На свободном сервере это одна-две минуты, на занятом дольше: создаются филиалы, сотрудники, пациенты
                    и записи.{' '}
                    {wanted ? 'Как только она будет готова, откроется сама.' : 'Настоящая клиника работает как всегда.'}
                  </span>
                  <Progress value={look.data.progress ?? 0} animated aria-label="Ход сборки" />
                  {look.data.doing && <Fine>{look.data.doing}…</Fine>}
                </VStack>
              </Alert>
            )}
            {look.data.reason && (
              <Alert variant="light" color="red" title="Не получилось">
                {look.data.reason}
              </Alert>
            )}
            <Tiles tile={320} gap={16}>
              {trainingRoleKeys.map((role) => (
                <Role
                  key={role}
                  role={role}
                  done={look.data.done}
                  isBusy={wanted === role}
                  isClosed={wanted !== undefined}
                  onEnter={() => enter(role)}
                />
              ))}
            </Tiles>
          </>
        )}
        {trainedReaders.some((right) => holds(actor, right)) && <Trained />}
      </div>
    </>
  )
}

interface RoleProps {
  role: TrainingRoleKey
  done: Look['done']
  isBusy: boolean
  isClosed: boolean
  onEnter: () => void
}

function Role({ role, done, isBusy, isClosed, onEnter }: RoleProps) {
  const { title, about } = trainingRoles[role]
  const ready = new Set(done.filter((one) => one.role === role).map(({ task }) => task))
  return (
    <VStack component="article" framed p={16} gap={8} aria-label={title} className={classes.role}>
      <HStack justify="space-between">
        <strong>{title}</strong>
        {ready.size > 0 && (
          <Fine>
            Сделано {ready.size} из {tasksOf(role).length}
          </Fine>
        )}
      </HStack>
      <Muted component="p" m={0}>
        {about}
      </Muted>
      <TaskList role={role} done={ready} />
      <div className={classes.foot}>
        <ActionButton
          label={`Войти: ${title.toLowerCase()}`}
          icon={IconLogin2}
          variant="light"
          loading={isBusy}
          disabled={isClosed && !isBusy}
          onClick={onEnter}
        />
      </div>
    </VStack>
  )
}

/** Tasks with their ticks, which the data have set. */
export function TaskList({ role, done }: { role: TrainingRoleKey; done: ReadonlySet<string> }) {
  return (
    <ol className={classes.tasks}>
      {tasksOf(role).map(({ key, title }) => (
        <li key={key} className={classes.task} data-done={done.has(key) || undefined}>
          {done.has(key) ? (
            <IconCircleCheckFilled size={18} aria-label="Сделано" />
          ) : (
            <IconCircle size={18} aria-label="Не сделано" />
          )}
          <span>{title}</span>
        </li>
      ))}
    </ol>
  )
}

function Reset({ state }: { state: Look['state'] | undefined }) {
  const reset = useReset()
  const ask = async () => {
    const sure = await confirm({
      title: 'Собрать учебную клинику заново?',
      message:
        'Всё, что в ней сделали, исчезнет, а те, кто сейчас в ней, выйдут. Отметки о заданиях останутся. Настоящей клиники это не касается.',
      confirm: 'Собрать заново',
      danger: true,
    })
    if (sure) reset.mutate()
  }
  return (
    <ActionButton
      label="Собрать заново"
      icon={IconRotate}
      variant="default"
      loading={reset.isPending || state === 'making'}
      onClick={() => void ask()}
    />
  )
}

/** Done tasks by employee, for users who manage the staff or read its figures. */
function Trained() {
  const people = useTrained(true)
  if (people.isError)
    return (
      <ErrorState title="Кто учился, узнать не удалось" error={people.error} onRetry={() => void people.refetch()} />
    )
  if (!people.data) return <LinesSkeleton lines={4} />
  const items = people.data.items.toSorted((a, b) => b.done.length - a.done.length)
  const began = items.filter(({ done }) => done.length > 0)
  return (
    <VStack component="section" gap={8} aria-label="Кто уже учился">
      <h2 style={{ margin: 0, fontSize: 16 }}>Кто уже учился</h2>
      {began.length === 0 ? (
        <Muted component="p" m={0}>
          Пока никто. Попросите сотрудников открыть «Учебную клинику» в меню под своим именем.
        </Muted>
      ) : (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Сотрудник</th>
                <th scope="col">Роль и сделанное</th>
                <th scope="col">Последнее задание</th>
              </tr>
            </thead>
            <tbody>
              {began.map(({ id, shortFio, post, done }) => (
                <tr key={id}>
                  <th scope="row">
                    {shortFio}
                    {post && <Fine component="div">{post}</Fine>}
                  </th>
                  <td>{summaryOf(done)}</td>
                  <td>{formatDate(done.at(-1)?.at ?? '')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {began.length > 0 && began.length < items.length && (
        <Fine component="p">Ещё не начинали: {items.length - began.length}</Fine>
      )}
    </VStack>
  )
}

const summaryOf = (done: Look['done']): string =>
  trainingRoleKeys
    .flatMap((role) => {
      const count = done.filter((one) => one.role === role).length
      return count > 0 ? [`${trainingRoles[role].title}: ${count} из ${tasksOf(role).length}`] : []
    })
    .join(', ')
