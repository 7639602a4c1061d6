import { Progress as Bar } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { minutesLeft, nextStep, type StartStep, startSteps } from '@ordinator/model/areas/start/steps'
import { counted } from '@ordinator/model/format'
import { pageAllowed, pageByKey } from '@ordinator/model/pages'
import { IconCheck, IconMinus, IconPlayerSkipForward, IconRotate } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import track from '#kit/steps.module.css'
import { Fine, Muted } from '#kit/Words.tsx'
import { Kits } from './Kits.tsx'
import classes from './StartPage.module.css'
import { type Progress, type Step, useMark, useStart } from './useStart.ts'

const page = pageByKey('start')
const declared: readonly StartStep[] = startSteps
const parts = [
  { title: 'Без этого не принять пациента', isNeeded: true },
  { title: 'Чтобы пациенты находили вас и приходили', isNeeded: false },
]

/** С чего начать: setup steps of a new clinic. */
export default function StartPage() {
  const start = useStart()
  return (
    <>
      <PageHead title={page.title} help={page.help} />
      {start.data ? (
        <Way {...start.data} />
      ) : start.isError ? (
        <ErrorState
          title="Не удалось узнать, что уже сделано"
          error={start.error}
          onRetry={() => void start.refetch()}
        />
      ) : (
        <Block px="var(--ord-page)" maw={820}>
          <LinesSkeleton lines={10} />
        </Block>
      )}
    </>
  )
}

function Way({ steps, works, idle }: Progress) {
  const next = nextStep(steps)
  const done = steps.filter((one) => one.done).length
  return (
    <div className={track.page}>
      <div>
        {works && <Open />}
        {parts.map(({ title, isNeeded }) => (
          <section key={title} className={track.part} aria-label={title}>
            <h2 className={classes.heading}>{title}</h2>
            <Block component="ol" framed className={classes.steps}>
              {declared.map((one, at) => {
                const step = steps.find(({ key }) => key === one.key)
                if (!step || Boolean(one.needed) !== isNeeded) return null
                return <Line key={one.key} declared={one} step={step} number={at + 1} isNext={step === next} />
              })}
            </Block>
          </section>
        ))}
      </div>
      <aside className={track.side} aria-label="Сколько сделано и готовые наборы">
        <Block framed className={track.summary}>
          <span className={track.figure}>
            {done} из {steps.length}
          </span>
          <Bar value={(100 * done) / steps.length} aria-label={`Сделано ${done} из ${steps.length}`} />
          <Muted>
            {next ? `Осталось около ${counted(minutesLeft(steps), ['минуты', 'минут', 'минут'])}` : 'Всё решено'}.
            Начатое продолжит любой, у кого есть право.
          </Muted>
        </Block>
        {idle.length > 0 && (
          <Block framed component="section" aria-label="Кому ничего не видно" className={track.summary}>
            <h2 className={classes.title}>Кому ничего не видно</h2>
            <Muted>Войдут и увидят пустые страницы: выдайте роль или добавьте в регистратуру филиала.</Muted>
            {idle.map(({ id, shortFio, why }) => (
              <Fine key={id}>
                <PageLink page="user" params={{ id }}>
                  {shortFio}
                </PageLink>
                {`: ${why === 'roles' ? 'нет ни одной роли' : 'нет в регистратуре'}`}
              </Fine>
            ))}
          </Block>
        )}
        <Block framed component="section" aria-label="Переезд" className={track.summary}>
          <h2 className={classes.title}>Была другая программа?</h2>
          <Muted>Пациентов, долги, визиты и снимки переносят таблицами, по плану и со сверкой сумм.</Muted>
          <ActionButton
            label="Открыть переезд"
            variant="default"
            renderRoot={(props) => <PageLink {...props} page="moving" />}
          />
        </Block>
        <Kits />
      </aside>
    </div>
  )
}

function Open() {
  return (
    <Block framed component="section" aria-label="Клиника открыта" className={classes.open}>
      <div>
        <h2 className={classes.title}>Клиника открыта</h2>
        <Muted>Можно принимать пациентов. Отложенное здесь остаётся, вернуться к нему можно в любой день.</Muted>
      </div>
      <HStack wrap>
        <ActionButton label="Открыть расписание" renderRoot={(props) => <PageLink {...props} page="calendar" />} />
        <ActionButton
          label="На рабочий стол"
          variant="default"
          renderRoot={(props) => <PageLink {...props} page="dashboard" />}
        />
      </HStack>
    </Block>
  )
}

interface LineProps {
  declared: StartStep
  step: Step
  number: number
  isNext: boolean
}

function Line({
  declared: { title, why, minutes, page: key, search, action, also = [], any },
  step,
  number,
  isNext,
}: LineProps) {
  const actor = useActor()
  const mark = useMark()
  const { done, state, by } = step
  const isSkipped = !done && state === 'skipped'
  const may = allowed(actor, any)
  const others = also.filter((one) => pageAllowed(pageByKey(one), actor))
  const to = { page: key, search: search as Search } as { page: 'start' }
  return (
    <li
      className={track.step}
      data-done={done || undefined}
      data-skipped={isSkipped || undefined}
      data-next={isNext || undefined}
      aria-current={isNext ? 'step' : undefined}
    >
      <span className={track.mark}>
        {done ? (
          <IconCheck size={16} aria-label="Сделано" role="img" />
        ) : isSkipped ? (
          <IconMinus size={16} aria-label="Отложено" role="img" />
        ) : (
          number
        )}
      </span>
      <div>
        <h3 className={classes.title}>{title}</h3>
        <Muted>{why}</Muted>
        <div className={classes.also}>
          {!done && <Fine>{counted(minutes, ['минута', 'минуты', 'минут'])}</Fine>}
          {!done && state && by && <Fine>{`${isSkipped ? 'Отложено' : 'Начато'}: ${by.shortFio}`}</Fine>}
          {!may && !done && <Fine>Нужно право: попросите того, кто выдаёт роли</Fine>}
          {others.map((one) => (
            <Fine key={one} component={PageLink} page={one}>
              {pageByKey(one).title}
            </Fine>
          ))}
        </div>
      </div>
      <div className={track.actions}>
        {may && (
          <ActionButton
            label={done ? 'Открыть' : action}
            aria-label={done ? `Открыть: ${title}` : undefined}
            variant={isNext ? 'filled' : done ? 'subtle' : 'default'}
            size="compact-md"
            renderRoot={(props) => (
              <PageLink
                {...props}
                {...to}
                {...(done && { search: {} })}
                onClick={() => !done && state !== 'taken' && void mark(step.key, 'taken')}
              />
            )}
          />
        )}
        {!done &&
          (isSkipped ? (
            <IconButton icon={IconRotate} label={`Вернуть: ${title}`} onClick={() => void mark(step.key, null)} />
          ) : (
            <IconButton
              icon={IconPlayerSkipForward}
              label={`Отложить: ${title}`}
              onClick={() => void mark(step.key, 'skipped')}
            />
          ))}
      </div>
    </li>
  )
}
