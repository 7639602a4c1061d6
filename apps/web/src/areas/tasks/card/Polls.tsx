import { PollThing } from './PollThing.tsx'
import type { SectionProps } from './SectionProps.ts'
import { ThingsState } from './ThingFrame.tsx'
import type { usePolls } from './usePolls.ts'

/** Polls of the task. */
export function Polls(props: SectionProps & { polls: ReturnType<typeof usePolls>; fresh: number | undefined }) {
  const { polls, fresh, mayEdit, data } = props
  return (
    <>
      <ThingsState pending={polls.pending && polls.things.length === 0} error={polls.error} retry={polls.retry} />
      {polls.things.map((thing, at) => (
        <PollThing
          key={thing.record.id}
          thing={thing}
          polls={polls}
          isFirst={at === 0}
          isLast={at === polls.things.length - 1}
          fresh={fresh === thing.record.id}
          mayEdit={mayEdit}
          idUser={data.idUser}
        />
      ))}
    </>
  )
}
