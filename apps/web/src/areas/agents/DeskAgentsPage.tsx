import { Alert, Code, List } from '@mantine/core'
import { DeskAgent } from '@ordinator/model/areas/agents/agent'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { IconDownload, IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'

type Agent = Row<typeof DeskAgent>

const columns: readonly ColumnSpec<Agent>[] = [
  { key: 'name', width: 260 },
  { key: 'idFilial', width: 200 },
  { key: 'isOnline', label: 'Связь', width: 220, cell: (agent) => <State agent={agent} /> },
  { key: 'computer', width: 160 },
  { key: 'version', width: 100 },
]

const tabs: RecordParts<typeof DeskAgent>['tabs'] = {
  connection: { label: 'Связь', panel: (agent) => <Connection key={agent.id} agent={agent} /> },
}

function State({ agent: { active, isOnline, dateSeen, dateToken } }: { agent: Agent }) {
  if (!active) return <Muted>Выключен</Muted>
  if (isOnline) return <span>На связи</span>
  if (!dateToken) return <Muted>Файл ещё не скачан</Muted>
  return <span>{dateSeen ? `Не на связи с ${formatDateTime(dateSeen)}` : 'Ещё не выходил на связь'}</span>
}

/** Агенты касс: programs on the computers with registers and terminals. */
export default function DeskAgentsPage() {
  return (
    <RegistryPage
      page={pageByKey('deskAgents')}
      entity={DeskAgent}
      columns={columns}
      tabs={tabs}
      isMuted={({ active }) => !active}
    />
  )
}

function Connection({ agent }: { agent: Agent }) {
  const cache = useQueryClient()
  const [busy, setBusy] = useState<string>()
  const [fault, setFault] = useState<string>()
  const params = { id: agent.id }
  const act = (what: string, work: () => Promise<unknown>) => async () => {
    setBusy(what)
    setFault(undefined)
    try {
      await work()
    } catch (error) {
      setFault(errorMessage(error))
    }
    await invalidateRecords(cache, DeskAgent.path)
    setBusy(undefined)
  }
  const save = act('file', async () => {
    const isAgreed =
      !agent.dateToken ||
      (await confirm({
        title: 'Скачать новый файл?',
        message: 'В нём будет новый ключ: прежний файл этого рабочего места перестанет работать.',
        confirm: 'Скачать',
      }))
    if (!isAgreed) return
    const { name, text } = await api('POST /desk-agents/:id/file', { params }, { quiet: true })
    const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  })
  const check = act('check', async () => {
    const { durationMs, version, isOld } = await api('POST /desk-agents/:id/check', { params }, { quiet: true })
    notify.success(
      isOld ? `На связи, но версия ${version} старая: скачайте файл заново` : `На связи: ответил за ${durationMs} мс`,
    )
  })
  const revoke = act('revoke', async () => {
    const isAgreed = await confirm({
      title: 'Отозвать ключ?',
      message: 'Агент отключится сразу. Чеки этой кассы будут ждать, пока не запустят новый файл.',
      confirm: 'Отозвать',
      danger: true,
    })
    if (isAgreed) await api('POST /desk-agents/:id/revoke', { params }, { quiet: true })
  })
  return (
    <VStack gap={16}>
      <VStack gap={2}>
        <Muted>Состояние</Muted>
        <State agent={agent} />
        {agent.computer && (
          <Fine>
            Компьютер {agent.computer}, версия {agent.version}
          </Fine>
        )}
      </VStack>
      {fault && (
        <Alert color="red" variant="light" role="alert" title="Не получилось">
          {fault}
        </Alert>
      )}
      <HStack wrap>
        <ActionButton
          label={agent.dateToken ? 'Скачать заново' : 'Скачать файл'}
          icon={IconDownload}
          variant={agent.dateToken ? 'default' : 'filled'}
          loading={busy === 'file'}
          disabled={!agent.active}
          onClick={() => void save()}
        />
        <ActionButton
          label="Проверить связь"
          icon={IconPlugConnected}
          variant="default"
          loading={busy === 'check'}
          disabled={!agent.dateToken}
          onClick={() => void check()}
        />
        {agent.dateToken && (
          <ActionButton
            label="Отозвать ключ"
            reverse
            icon={IconPlugConnectedX}
            variant="default"
            loading={busy === 'revoke'}
            onClick={() => void revoke()}
          />
        )}
      </HStack>
      <VStack gap={4}>
        <Muted>Как запустить</Muted>
        <List type="ordered" size="sm" spacing={6} withPadding style={{ listStyleType: 'decimal' }}>
          <List.Item>
            Установите Node 22 или новее с сайта nodejs.org на компьютер, к которому подключена касса.
          </List.Item>
          <List.Item>
            Скачайте файл и положите его в папку, которую никто не чистит: рядом он хранит свои ответы.
          </List.Item>
          <List.Item>
            Запустите <Code>node ordinator-agent.mjs</Code> и добавьте эту команду в автозапуск.
          </List.Item>
          <List.Item>Вернитесь сюда и нажмите «Проверить связь». Затем выберите агента в настройках кассы.</List.Item>
        </List>
        <Fine component="p">
          Ключ стоит внутри файла: не пересылайте его. Если изменили адреса или программы, скачайте файл заново.
        </Fine>
      </VStack>
    </VStack>
  )
}
