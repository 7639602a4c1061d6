import { Alert, Badge } from '@mantine/core'
import { signerRoles } from '@ordinator/model/areas/egisz/semd'
import { certificateKinds, signatureStates } from '@ordinator/model/areas/signatures/certificate'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { formatDateTime } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, Dot, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'

const stateColors = { valid: 'teal', invalid: 'red', unknown: 'yellow' } as const
const levels: Record<string, string> = {
  info: 'var(--mantine-color-gray-5)',
  warning: 'var(--mantine-color-yellow-6)',
  error: 'var(--mantine-color-red-6)',
}

/** Signatures and events of a document. */
export function SemdHistory({ id, version }: { id: number; version: number }) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['egisz', 'details', id, version],
    queryFn: ({ signal }) => api('GET /egisz/semds/:id/details', { params: { id } }, { signal, quiet: true }),
  })
  if (error && !data)
    return <ErrorState title="История не получена" error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!data) return <LinesSkeleton lines={5} />
  return (
    <VStack gap={16}>
      {!data.isConnected && (
        <Alert color="yellow" variant="light" title="ЕГИСЗ не подключена">
          Документы собираются и подписываются, но никуда не уходят: укажите режим, адрес и ОИД в настройках ЕГИСЗ.
        </Alert>
      )}
      {data.signatures.map(({ role, owner, thumbprint, kind, state, words, date }) => (
        <Block key={role} framed p={12}>
          <VStack gap={4}>
            <HStack gap={8} wrap>
              <strong>{signerRoles[role]}</strong>
              <Badge color={stateColors[state]} variant="light" tt="none" fw={500}>
                {signatureStates[state]}
              </Badge>
              <Fine>{certificateKinds[kind]}</Fine>
            </HStack>
            <span>{owner}</span>
            <Fine>
              {formatDateTime(date)}. {words}
            </Fine>
            {thumbprint && <Fine>Отпечаток {thumbprint}</Fine>}
          </VStack>
        </Block>
      ))}
      {data.events.map(({ date, level, text, user }) => (
        <HStack key={`${date} ${text}`} gap={8} align="flex-start">
          <Dot color={levels[level] ?? 'gray'} mt={7} />
          <VStack gap={0}>
            <span>{text}</span>
            <Muted fz="xs">{[formatDateTime(date), user].filter(Boolean).join(', ')}</Muted>
          </VStack>
        </HStack>
      ))}
    </VStack>
  )
}
