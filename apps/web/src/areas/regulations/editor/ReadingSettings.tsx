import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { Tiles } from '#kit/Stacks.tsx'
import { CheckedNumber } from '#records/fields/CheckedNumber.tsx'
import type { RegulationDraft } from './draft.ts'
import { ReadDaysField } from './TermFields.tsx'
import { TestEditor } from './TestEditor.tsx'
import type { DraftActs } from './useRegulationDraft.ts'

interface Props {
  draft: RegulationDraft
  error: string | undefined
  acts: DraftActs
}

/** Days to read, and the test. */
export function ReadingSettings({ draft, error, acts }: Props) {
  return (
    <>
      <Tiles tile={200} gap={16}>
        <ReadDaysField value={draft.readDays} onChange={(readDays) => acts.change({ readDays })} />
        <CheckedNumber
          f={Regulation.fields.passScore}
          needed
          label="Проходной балл, %"
          value={draft.passScore}
          onChange={(score) => acts.change({ passScore: score as number })}
        />
      </Tiles>
      <TestEditor test={draft.test} error={error} onChange={(test) => acts.change({ test })} />
    </>
  )
}
