import { Loader, Text, Title, UnstyledButton } from '@mantine/core'
import type { ScriptUses } from '@ordinator/model/areas/scripts/calls'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { Popover } from '#kit/Popover.tsx'
import { APP } from '#kit/root.ts'
import { retries } from '#records/reads.ts'
import classes from './UsedBy.module.css'

/** Loads where a script is used. */
export const readUses = (idScript: number, signal?: AbortSignal): Promise<ScriptUses> =>
  api('GET /old-scripts/:id/used', { params: { id: idScript } }, { signal, forbidden: 'silent' })

/** Button with the funnels and regulation steps that use a script. */
export function UsedBy({ id, label, children }: { id: number; label?: string; children: ReactNode }) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={320}>
      <Popover.Target>
        <UnstyledButton className={`${classes.opener} tabular`} aria-label={label} onClick={() => setOpened(!opened)}>
          {children}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} tabIndex={-1} data-autofocus>
        <Uses id={id} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Uses({ id }: { id: number }) {
  const uses = useQuery<ScriptUses>({
    queryKey: ['records', OldScript.path, 'used', id],
    queryFn: ({ signal }) => readUses(id, signal),
    retry: retries,
    staleTime: 0,
  })
  if (uses.isPending) return <Loader size="sm" aria-label="Загрузка" />
  if (uses.isError) return <Text c="dimmed">{errorMessage(uses.error)}</Text>
  const { funnels, steps, hidden } = uses.data
  if (!funnels.length && !steps.length && !hidden.funnels && !hidden.steps)
    return <Text c="dimmed">Ни к воронкам, ни к шагам регламентов не прикреплён</Text>
  return (
    <>
      <Places title="Воронки" hidden={hidden.funnels}>
        {funnels.map((funnel) => (
          <li key={funnel.id}>
            <a href={`${APP}/funnels/${funnel.id}`}>{funnel.name}</a>
          </li>
        ))}
      </Places>
      <Places title="Шаги регламентов" hidden={hidden.steps}>
        {steps.map((step) => (
          <li key={step.id}>
            <a href={`${APP}/regulations?id=${step.idRegulation}`}>{step.regulation}</a>
            <Text component="div" c="dimmed">
              {step.title}
            </Text>
          </li>
        ))}
      </Places>
    </>
  )
}

function Places({ title, hidden, children }: { title: string; hidden: number; children: ReactNode[] }) {
  if (children.length === 0 && hidden === 0) return null
  return (
    <section className={classes.places} aria-label={title}>
      <Title order={2} size="h3">
        {title}
      </Title>
      <ul>
        {children}
        {hidden > 0 && (
          <Text component="li" inherit c="dimmed">
            {children.length ? `и ещё ${hidden}, которые вам не видны` : `${hidden}, вам не видны`}
          </Text>
        )}
      </ul>
    </section>
  )
}
