import { Membership, MembershipMove, MembershipUser } from './membership.ts'
import { MembershipItem, MembershipType } from './type.ts'

/** Entities of this area. */
export const entities = [MembershipType, MembershipItem, Membership, MembershipUser, MembershipMove] as const
