import { NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { Prompt, PromptRun, PromptVersion, runStatuses, runSubjects } from '@ordinator/model/areas/prompts/prompt'
import { MAX_PROMPT, promptVariables, wrongTemplate } from '@ordinator/model/areas/prompts/template'
import type { Row } from '@ordinator/model/entity'
import { counted, formatNumber } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { IconDeviceFloppy, IconPlayerPlay } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { WordDifference } from '#records/history/WordDifference.tsx'
import { useEndlessList, useList } from '#records/reads.ts'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { useSave } from '#records/writes.ts'
import classes from './Prompts.module.css'
import { Sample } from './Sample.tsx'

type PromptRow = Row<typeof Prompt>

const tabs: RecordParts<typeof Prompt>['tabs'] = {
  text: { label: 'Текст', panel: (prompt) => <Words key={prompt.id} prompt={prompt} /> },
  sample: { label: 'Проба', panel: (prompt) => <Sample key={prompt.id} prompt={prompt} /> },
  versions: { label: 'Версии', panel: (prompt) => <Versions prompt={prompt} /> },
  runs: { label: 'Запуски', panel: (prompt) => <Runs prompt={prompt} /> },
}

/** Prompts of calls have neither specialities nor templates. */
const callForm = { Подсказка: ['name', 'isDefault', 'active'] } as const

const listOf = { call: 'callPrompts', protocol: 'protocolPrompts' } as const

/** Prompt: text, trial, comparison of versions, and runs. */
export function PromptView({ list }: { list: 'callPrompts' | 'protocolPrompts' }) {
  return (
    <RegistryRecordPage
      entity={Prompt}
      list={pageByKey(list)}
      elsewhere={({ id, kind }) =>
        listOf[kind] === list ? undefined : pagePath(kind === 'call' ? 'callPrompt' : 'protocolPrompt', { id })
      }
      help={({ version, active, runsCount, cost }) =>
        [
          `Версия ${version}`,
          !active && 'выключена',
          counted(runsCount, ['запуск', 'запуска', 'запусков']),
          `${formatNumber(cost, 2)} ₽`,
        ]
          .filter(Boolean)
          .join(' · ')
      }
      tabs={tabs}
      form={list === 'callPrompts' ? callForm : undefined}
    />
  )
}

function Words({ prompt }: { prompt: PromptRow }) {
  const mayEdit = useCan('update', Prompt)
  const save = useSave(Prompt)
  const [text, setText] = useState(prompt.text)
  const [model, setModel] = useState(prompt.model ?? '')
  const [temperature, setTemperature] = useState<number | string>(prompt.temperature ?? 0.2)
  const field = useRef<HTMLTextAreaElement>(null)
  const wrong = wrongTemplate(text) ?? (text.trim() === '' ? 'Нужен текст' : undefined)
  const isChanged = text !== prompt.text || model !== (prompt.model ?? '') || Number(temperature) !== prompt.temperature
  const put = (name: string) => {
    const at = field.current?.selectionStart ?? text.length
    setText(`${text.slice(0, at)}{{${name}}}${text.slice(field.current?.selectionEnd ?? at)}`)
    field.current?.focus()
  }
  const keep = () =>
    save.mutate(
      { id: prompt.id, _version: prompt._version, text, model: model.trim() || null, temperature: Number(temperature) },
      {
        onSuccess: () => notify.success('Сохранено новой версией'),
        onError: (error) => notify.error(errorMessage(error)),
      },
    )
  return (
    <VStack gap={12} maw={900}>
      <Textarea
        ref={field}
        label="Текст подсказки"
        description="Как отвечать, нейросеть знает и так: здесь только то, на что смотреть"
        autosize
        minRows={10}
        maxRows={24}
        maxLength={MAX_PROMPT}
        readOnly={!mayEdit}
        value={text}
        error={wrong}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {mayEdit && (
        <HStack wrap gap={6} aria-label="Переменные" role="group">
          {Object.entries(promptVariables).map(([name, help]) => (
            <ActionButton
              key={name}
              label={`{{${name}}}`}
              title={help}
              size="compact-sm"
              variant="default"
              onClick={() => put(name)}
            />
          ))}
        </HStack>
      )}
      <HStack wrap align="end">
        <TextInput
          label="Модель"
          placeholder="из настроек"
          maxLength={120}
          readOnly={!mayEdit}
          value={model}
          onChange={(event) => setModel(event.currentTarget.value)}
        />
        <NumberInput
          label="Свобода ответа"
          w={140}
          min={0}
          max={2}
          step={0.1}
          decimalScale={1}
          decimalSeparator=","
          readOnly={!mayEdit}
          value={temperature}
          onChange={setTemperature}
        />
        {mayEdit && (
          <ActionButton
            label="Сохранить версию"
            icon={IconDeviceFloppy}
            disabled={!isChanged || wrong !== undefined}
            loading={save.isPending}
            onClick={keep}
          />
        )}
      </HStack>
    </VStack>
  )
}

function Versions({ prompt }: { prompt: PromptRow }) {
  const list = useList(
    PromptVersion,
    { filter: { idPrompt: prompt.id }, expand: ['user'], sort: '-number', limit: 100 },
    { forbidden: 'silent' },
  )
  const [chosen, setChosen] = useState<{ from?: string | null; to?: string | null }>({})
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LinesSkeleton lines={6} />
  const versions = list.data.items
  const to = versions.find(({ number }) => String(number) === chosen.to) ?? versions[0]
  const from = versions.find(({ number }) => String(number) === chosen.from) ?? versions[1] ?? versions[0]
  const data = versions.map(({ number }) => ({ value: String(number), label: `Версия ${number}` }))
  if (!to || !from) return <Muted>Версий пока нет</Muted>
  return (
    <VStack gap={16}>
      <HStack wrap align="end">
        <Select
          label="Была"
          w={160}
          allowDeselect={false}
          data={data}
          value={String(from.number)}
          onChange={(value) => setChosen({ ...chosen, from: value })}
        />
        <Select
          label="Стала"
          w={160}
          allowDeselect={false}
          data={data}
          value={String(to.number)}
          onChange={(value) => setChosen({ ...chosen, to: value })}
        />
      </HStack>
      <div className={classes.two}>
        {[from, to].map((version, at) => (
          <section key={at === 0 ? 'from' : 'to'} aria-label={`Версия ${version.number}`}>
            <h2>Версия {version.number}</h2>
            <Fine component="div">
              {formatDateTime(version.dateCreate)} · {version.user && <UserLink user={version.user} />} · свобода{' '}
              {formatNumber(version.temperature ?? 0, 1)}
              {version.model && ` · ${version.model}`}
            </Fine>
            <div className={classes.text}>{version.text}</div>
          </section>
        ))}
      </div>
      {from.number !== to.number && (
        <section aria-label="Что изменилось">
          <h2>Что изменилось</h2>
          {from.text === to.text ? <Muted>Текст тот же</Muted> : <WordDifference before={from.text} after={to.text} />}
        </section>
      )}
    </VStack>
  )
}

function Runs({ prompt }: { prompt: PromptRow }) {
  const list = useEndlessList(
    PromptRun,
    { filter: { idPrompt: prompt.id }, expand: ['user'], sort: '-id', limit: 30 },
    { forbidden: 'silent' },
  )
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <LinesSkeleton lines={6} />
  if (list.items.length === 0)
    return <EmptyState icon={IconPlayerPlay} title="Запусков пока нет" text="Попробуйте подсказку на примере." />
  return (
    <VStack gap={12} maw={900}>
      <Block component="ul" framed aria-label="Запуски">
        {list.items.map((run, at) => (
          <HStack key={run.id} component="li" px={12} py={8} wrap rule={at ? 'top' : undefined}>
            <Block grow miw={220}>
              {runStatuses[run.status]} ·{' '}
              {run.subject === 'sample' ? runSubjects.sample : `${runSubjects[run.subject]} № ${run.idEntity}`}
              <Fine component="div">
                {formatDateTime(run.dateCreate)} · {run.number ? `версия ${run.number}` : 'несохранённая'} ·{' '}
                {run.user && <UserLink user={run.user} />}
                {run.error && ` · ${run.error}`}
              </Fine>
            </Block>
            <Facts run={run} />
          </HStack>
        ))}
      </Block>
      <MoreRows list={list} />
    </VStack>
  )
}

function Facts({ run }: { run: Row<typeof PromptRun> }): ReactNode {
  const parts = [
    run.masked > 0 && `скрыто ${run.masked}`,
    run.tokensIn !== null && `${formatNumber((run.tokensIn ?? 0) + (run.tokensOut ?? 0))} ток.`,
    run.cost !== null && `${formatNumber(run.cost, 2)} ₽`,
    run.rating === 'good' ? 'хороший ответ' : run.rating === 'bad' ? 'плохой ответ' : undefined,
    (run.accepted?.length ?? 0) > 0 && 'принято',
  ].filter(Boolean)
  return <Fine className="tabular">{parts.join(' · ')}</Fine>
}
