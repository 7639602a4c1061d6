import { Badge, Text } from '@mantine/core'
import { adapterStates } from '@ordinator/model/areas/exchange/integration'
import { formatNumber } from '@ordinator/model/format'
import { IconPlugConnected } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { type Integration, stateColors } from './IntegrationCard.tsx'
import { useCheck } from './useCheck.ts'

interface Props {
  title: string
  /** Of several kinds: each by its whole name. */
  isMixed: boolean
  items: readonly Integration[]
  onChecked(): Promise<unknown>
}

/** Devices of one kind, one per line: registers or terminals of all desks; or systems not connected. */
export function DevicesCard({ title, isMixed, items, onChecked }: Props) {
  return (
    <VStack component="section" framed p={16} gap={12} aria-label={title}>
      <Text component="h2" fw={600}>
        {title}
      </Text>
      <VStack component="ul" gap={8}>
        {items.map((item) => (
          <Device key={item.key} item={item} name={isMixed ? item.name : ownName(item)} onChecked={onChecked} />
        ))}
      </VStack>
    </VStack>
  )
}

/** «Касса, Ленина» of «ККТ: Касса, Ленина»: the card's title has the kind. */
const ownName = ({ name }: Integration) => name.replace(/^[^:]+: /, '')

function Device({ item, name, onChecked }: { item: Integration; name: string; onChecked: Props['onChecked'] }) {
  const { state, error, note, queue, setIn, page } = item
  const { busy, ask } = useCheck(item, onChecked)
  const isOff = state === 'off'
  return (
    <li>
      <HStack gap={8} justify="space-between">
        <Text span inherit miw={0}>
          {name}
        </Text>
        <HStack gap={4} flex="none">
          {!isOff && (
            <Badge color={stateColors[state]} variant="light" tt="none" fw={500}>
              {adapterStates[state]}
            </Badge>
          )}
          {isOff ? (
            <Fine>{page ? <PageLink page={page}>{setIn}</PageLink> : setIn}</Fine>
          ) : (
            <IconButton
              icon={IconPlugConnected}
              label={`Проверить связь: ${item.name}`}
              loading={busy || item.isChecking}
              onClick={() => void ask()}
            />
          )}
        </HStack>
      </HStack>
      {error && (
        <Text c="red" size="sm">
          {error}
        </Text>
      )}
      {!isOff && (note || queue) ? (
        <Fine>{[note, queue ? `в очереди ${formatNumber(queue)}` : ''].filter(Boolean).join(' · ')}</Fine>
      ) : null}
    </li>
  )
}
