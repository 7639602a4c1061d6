import { BookingChannel, OutsideBooking } from './channel.ts'
import { Invite, InviteCode } from './invite.ts'
import { ChannelMatch } from './match.ts'
import { Review, ReviewRoute } from './review.ts'

/** Entities of this area. */
export const entities = [BookingChannel, OutsideBooking, ChannelMatch, InviteCode, Invite, ReviewRoute, Review] as const
