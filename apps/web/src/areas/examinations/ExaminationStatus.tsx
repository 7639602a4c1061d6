import { type ExaminationStatus, examinationStatuses } from '@ordinator/model/areas/examinations/examination'
import { Dot, HStack } from '#kit/Stacks.tsx'

const colors: Record<ExaminationStatus, string> = {
  draft: 'var(--mantine-color-yellow-6)',
  done: 'var(--mantine-color-blue-6)',
  signed: 'var(--mantine-color-teal-6)',
  corrected: 'var(--mantine-color-gray-5)',
}

/** Status of an examination, coloured. */
export const StatusMark = ({ status }: { status: ExaminationStatus }) => (
  <HStack component="span" gap={6} display="inline-flex" className="nowrap">
    <Dot color={colors[status]} />
    {examinationStatuses[status]}
  </HStack>
)
