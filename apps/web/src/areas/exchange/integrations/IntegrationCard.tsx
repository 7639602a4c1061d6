import { Badge, Select, Text } from '@mantine/core'
import { adapterModes, adapterStates, CERTIFICATE_DAYS, MOST_ERRORS } from '@ordinator/model/areas/exchange/integration'
import { connectionModes } from '@ordinator/model/areas/settings/children/connections'
import { formatNumber } from '@ordinator/model/format'
import { IconPlugConnected } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDate, formatDateTime } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useCheck } from './useCheck.ts'

export type Integration = Answer<'GET /integrations'>['items'][number]

export const stateColors: Record<Integration['state'], string> = {
  works: 'teal',
  fails: 'red',
  unknown: 'gray',
  off: 'gray',
}

interface Props {
  item: Integration
  onChecked(): Promise<unknown>
}

/** An outside system: state, last activity, and a check. */
export function IntegrationCard({ item, onChecked }: Props) {
  const { code, name, mode, state, error, setIn, page } = item
  const { busy, ask } = useCheck(item, onChecked)
  return (
    <VStack component="section" framed p={16} gap={12} aria-label={name}>
      <HStack justify="space-between" align="flex-start">
        <Text component="h2" fw={600} miw={0} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Badge color={stateColors[state]} variant="light" tt="none" fw={500} style={{ flexShrink: 0 }}>
          {adapterStates[state]}
        </Badge>
      </HStack>
      {error && (
        <Text c="red" size="sm">
          {error}
        </Text>
      )}
      {item.warnings.map((words) => (
        <Text key={words} size="sm" fw={500}>
          {words}
        </Text>
      ))}
      {item.switch && <ModeSwitch turned={item.switch} name={name} onChanged={onChecked} />}
      {state !== 'off' && (
        <VStack gap={4}>
          {!item.switch && <Fact label="Режим">{adapterModes[mode]}</Fact>}
          {item.dateFailing && <Fact label="Не работает с">{formatDateTime(item.dateFailing)}</Fact>}
          <Fact label="Последний успех">{item.dateSuccess ? formatDateTime(item.dateSuccess) : 'ещё не было'}</Fact>
          {item.note && <Muted>{item.note}</Muted>}
          {item.queue !== null && <Fact label="В очереди">{formatNumber(item.queue)}</Fact>}
          {item.errors !== null && (
            <Fact label="Ошибок за сутки">
              {formatNumber(item.errors)}
              {item.errors === MOST_ERRORS && '+'}
            </Fact>
          )}
          {item.dateCertificate && (
            <Fact label="Сертификат до">
              <Text span inherit c={isEnding(item.dateCertificate) ? 'red' : undefined}>
                {formatDate(item.dateCertificate)}
              </Text>
            </Fact>
          )}
        </VStack>
      )}
      <Fine mt="auto">Подключение: {page ? <PageLink page={page}>{setIn}</PageLink> : setIn}</Fine>
      {(state !== 'off' || code) && (
        <HStack wrap>
          {state !== 'off' && (
            <ActionButton
              label="Проверить связь"
              icon={IconPlugConnected}
              size="compact-sm"
              variant="default"
              loading={busy || item.isChecking}
              onClick={() => void ask()}
            />
          )}
          {code && (
            <ActionButton
              label="Журнал"
              size="compact-sm"
              variant="subtle"
              aria-label={`Журнал обмена: ${name}`}
              renderRoot={(props) => <PageLink {...props} page="exchangeJournal" search={{ adapter: code }} />}
            />
          )}
        </HStack>
      )}
    </VStack>
  )
}

const DAY_MS = 86_400_000
const isEnding = (end: string) => Date.parse(end) - Date.now() < CERTIFICATE_DAYS * DAY_MS

interface ModeSwitchProps {
  turned: NonNullable<Integration['switch']>
  name: string
  onChanged(): Promise<unknown>
}

/** Mode as a setting of the clinic: logged and undoable as any other. */
function ModeSwitch({ turned: { setting, value }, name, onChanged }: ModeSwitchProps) {
  const [busy, setBusy] = useState(false)
  const put = async (next: string) => {
    setBusy(true)
    try {
      await api('PUT /settings/common', { body: { [setting]: next } }, { forbidden: 'toast' })
      return true
    } catch (failure) {
      notifyFailure(failure as Error)
      return false
    } finally {
      await onChanged()
      setBusy(false)
    }
  }
  const turn = async (next: string | null) => {
    if (!next || next === value || !(await put(next))) return
    notify.undo(`${name}: ${connectionModes[next as typeof value]}`, async () => {
      await put(value)
    })
  }
  return (
    <Select
      label="Режим"
      aria-label={`Режим: ${name}`}
      size="xs"
      data={Object.entries(connectionModes).map(([key, label]) => ({ value: key, label }))}
      value={value}
      allowDeselect={false}
      disabled={busy}
      onChange={(next) => void turn(next)}
    />
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <HStack justify="space-between" gap={12}>
      <Muted>{label}</Muted>
      <span className="tabular">{children}</span>
    </HStack>
  )
}
