import { Alert, Anchor, Box } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { IconDatabaseExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'

const EVERY_MS = 5 * 60_000

/** Warns administrators that the last good backup is old. */
export function BackupAlert() {
  const may = allowed(useActor(), 'mainSettings')
  const { data, isLoading } = useQuery({
    queryKey: ['backups', 'state'],
    queryFn: ({ signal }) => api('GET /backups/state', {}, { signal, quiet: true, forbidden: 'silent' }),
    enabled: may,
    refetchInterval: EVERY_MS,
    retry: false,
    meta: { known: true },
  })
  useRevealDelay(isLoading)
  if (!may || !data?.alert) return null
  return (
    <Box px="var(--ord-page)" mb={16}>
      <Alert color="red" variant="light" icon={<IconDatabaseExclamation size={18} />} title={data.alert} role="alert">
        <Anchor inherit c="inherit" underline="always" renderRoot={(props) => <PageLink {...props} page="backups" />}>
          Открыть резервные копии
        </Anchor>
      </Alert>
    </Box>
  )
}
