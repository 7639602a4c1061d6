import { OldScript } from '@ordinator/model/areas/scripts/script'
import { useState } from 'react'
import { part } from '#kit/chunk.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { storage } from '#kit/root.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useList, useRecord } from '#records/reads.ts'

// Loaded on demand: the scripts area also depends on this one through sales.
const ScriptWalk = part(
  async () => ({ default: (await import('#areas/scripts/index.ts')).ScriptWalk }),
  <LinesSkeleton lines={3} />,
)

const LAST = 'call-script'

/** Script beside the call: the last used one, or another. */
export function CallScript() {
  const [chosen, setChosen] = useState(() => Number(storage.getItem(LAST)) || null)
  const first = useList(
    OldScript,
    { filter: { active: true }, fields: ['name'], sort: 'name', limit: 1 },
    { forbidden: 'silent', enabled: chosen === null },
  )
  const id = chosen ?? first.data?.items[0]?.id
  const script = useRecord(OldScript, id, {}, { forbidden: 'silent', reportsFailure: true })
  const choose = (value: number | null) => {
    if (value) storage.setItem(LAST, String(value))
    else storage.removeItem(LAST)
    setChosen(value)
  }
  if (first.isSuccess && first.data.items.length === 0 && chosen === null)
    return <Muted>Действующих скриптов нет: их заводят в «Скриптах»</Muted>
  return (
    <VStack gap={12}>
      <RefSelect to={OldScript.path} label="Скрипт" value={id ?? null} onChange={choose} />
      {script.isError ? (
        <ErrorState title="Скрипт не загрузился" error={script.error} onRetry={() => choose(null)} />
      ) : script.data ? (
        <ScriptWalk key={script.data.id} script={script.data} />
      ) : (
        <LinesSkeleton lines={3} />
      )}
    </VStack>
  )
}
