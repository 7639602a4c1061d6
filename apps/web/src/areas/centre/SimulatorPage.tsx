import { Alert, Progress, Radio, Select } from '@mantine/core'
import type { Scenario } from '@ordinator/model/areas/centre/calls'
import { counted, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { confirm } from '#kit/confirm.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormPart } from '#kit/FormPart.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'

type State = Answer<'GET /simulator'>

const KEY = ['simulator']
const EVERY_MS = 2_000

/** Labels are repeated here: the web imports only the type of a declared call. */
const scenarios: Record<Scenario, { label: string; hint: string }> = {
  day: { label: 'Обычный день', hint: 'Пишут и звонят вперемешку, изредка жалуются' },
  rush: { label: 'Час пик', hint: 'Много звонков сразу, часть бросает трубку не дождавшись' },
  chats: { label: 'Только чаты', hint: 'Пишут на сайт, никто не звонит' },
  complaints: { label: 'Недовольные', hint: 'Жалуются, торопят, требуют главного врача' },
  flood: { label: 'Поток', hint: 'Часть пишет без остановки: лишнее не принимается, чат остаётся читаемым.' },
}
const speeds = [
  { value: '1', label: 'Как в жизни' },
  { value: '5', label: 'В 5 раз быстрее' },
  { value: '20', label: 'В 20 раз быстрее' },
]
const statuses = { running: 'Идёт', done: 'Сыграно до конца', stopped: 'Остановлено' } as const

/** Симулятор: only in the demo clinic, for administrators. */
export default function SimulatorPage() {
  const page = pageByKey('simulator')
  const state = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api('GET /simulator', {}, { signal, forbidden: 'silent' }),
    refetchInterval: ({ state: { data } }) => (data?.run?.status === 'running' ? EVERY_MS : false),
    retry: false,
  })
  return (
    <>
      <PageHead title={page.title} help={page.help} />
      <Block px="var(--ord-page)" pb={24} maw={768}>
        {state.isError && !state.data ? (
          <ErrorState title="Симулятора здесь нет" error={state.error} onRetry={() => void state.refetch()} />
        ) : state.data ? (
          <Controls {...state.data} />
        ) : (
          <LinesSkeleton lines={8} />
        )}
      </Block>
    </>
  )
}

/** Error of a number out of range; the field itself reports letters. */
function seedFault(seed: number | string | null): string | undefined {
  if (seed === null) return undefined
  if (typeof seed === 'string') return 'Нужно число, например 12'
  return Number.isInteger(seed) && seed >= 1 && seed <= MAX_SEED
    ? undefined
    : `Нужно целое число от 1 до ${formatNumber(MAX_SEED)}`
}
const MAX_SEED = 999_999

function Controls({ run, made }: State) {
  const cache = useQueryClient()
  const [scenario, setScenario] = useState<Scenario>('day')
  const [seed, setSeed] = useState<number | string | null>(null)
  const wrong = seedFault(seed)
  const [speed, setSpeed] = useState('5')
  const [busy, setBusy] = useState(false)
  const runs = run?.status === 'running'
  const anything = made.chats + made.calls > 0
  const act = async (ask: () => Promise<State>, success?: string) => {
    if (busy) return
    setBusy(true)
    try {
      cache.setQueryData(KEY, await ask())
      if (success) notify.success(success)
    } catch (error) {
      notifyFailure(error as Error)
    } finally {
      setBusy(false)
    }
  }
  const start = () =>
    act(() =>
      api('POST /simulator/start', {
        body: {
          scenario,
          speed: Number(speed) as 1 | 5 | 20,
          ...(typeof seed === 'number' && { seed }),
        },
      }),
    )
  const clear = async () => {
    const sure = await confirm({
      title: 'Убрать всё учебное?',
      message: 'Учебные звонки удалятся насовсем, чаты и обращения из них уйдут в корзину.',
      confirm: 'Убрать',
      danger: true,
    })
    if (sure) await act(() => api('POST /simulator/clear', {}), 'Учебное убрано')
  }
  return (
    <VStack gap={16}>
      {run && (
        <FormPart title={`${statuses[run.status]}: ${scenarios[run.scenario].label}`}>
          <VStack data-wide gap={8}>
            <Progress
              value={(100 * run.step) / Math.max(1, run.total)}
              aria-label={`Сыграно ${run.step} из ${run.total}`}
              animated={runs}
            />
            <Muted className="tabular">
              Событий {run.step} из {run.total}, зерно {run.seed}
            </Muted>
            {runs && (
              <HStack wrap>
                <ActionButton
                  label="Остановить"
                  icon={IconPlayerStop}
                  loading={busy}
                  onClick={() => void act(() => api('POST /simulator/stop', {}))}
                />
                <ActionButton
                  label="К чатам"
                  variant="default"
                  renderRoot={(props) => <PageLink {...props} page="liveAssist" search={{ tab: 'unassigned' }} />}
                />
                <ActionButton
                  label="К звонкам"
                  variant="default"
                  renderRoot={(props) => <PageLink {...props} page="calls" />}
                />
              </HStack>
            )}
          </VStack>
        </FormPart>
      )}
      {!runs && (
        <FormPart title="Начать">
          <Radio.Group data-wide label="Сценарий" value={scenario} onChange={(value) => setScenario(value as Scenario)}>
            <VStack gap={8} mt={4}>
              {(Object.keys(scenarios) as Scenario[]).map((name) => (
                <Radio key={name} value={name} label={scenarios[name].label} description={scenarios[name].hint} />
              ))}
            </VStack>
          </Radio.Group>
          <Select
            label="Скорость"
            data={speeds}
            value={speed}
            allowDeselect={false}
            onChange={(value) => setSpeed(value ?? '5')}
          />
          <NumberField
            label="Номер прогона"
            description="С тем же номером всё повторится точь-в-точь; пусто — каждый раз новое"
            value={seed}
            error={wrong}
            onChange={setSeed}
          />
          <HStack data-wide>
            <ActionButton
              label="Начать"
              icon={IconPlayerPlay}
              loading={busy}
              disabled={wrong !== undefined}
              onClick={() => void start()}
            />
          </HStack>
        </FormPart>
      )}
      {anything ? (
        <HStack wrap justify="space-between">
          <Muted>
            Учебных: {counted(made.chats, ['чат', 'чата', 'чатов'])},{' '}
            {counted(made.calls, ['звонок', 'звонка', 'звонков'])}
          </Muted>
          {!runs && (
            <ActionButton
              label="Убрать всё учебное"
              icon={IconTrash}
              variant="light"
              color="red"
              loading={busy}
              onClick={() => void clear()}
            />
          )}
        </HStack>
      ) : (
        <Alert variant="light">
          Всё, что придёт, помечено как учебное и убирается одной кнопкой. Входящие звонки звонят тем, у кого в профиле
          указан внутренний номер.
        </Alert>
      )}
    </VStack>
  )
}
