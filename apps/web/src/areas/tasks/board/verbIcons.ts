import type { Verb } from '@ordinator/model/areas/tasks/states'
import {
  IconArrowBackUp,
  IconChecks,
  IconCircleCheck,
  IconInbox,
  IconMessageReply,
  IconPlayerPlay,
  IconRotate,
  IconSend,
} from '@tabler/icons-react'

export const verbIcons: Record<Verb, typeof IconSend> = {
  start: IconPlayerPlay,
  handIn: IconSend,
  accept: IconChecks,
  sendBack: IconMessageReply,
  complete: IconCircleCheck,
  reopen: IconRotate,
  withdraw: IconArrowBackUp,
  reset: IconInbox,
}
