import { Equipment, EquipmentKind, ServiceEquipment } from './equipment.ts'
import { Hold } from './hold.ts'
import { ShiftPattern, StaffEvent } from './shift.ts'
import { Appointment, Coupon, CouponService, Desk, GroupVisit, LinePerformer, VisitReminder } from './visit.ts'
import { AppointmentMove, VisitChange } from './visitChange.ts'
import { VisitScore } from './visitScore.ts'
import { WaitingEntry, WaitingOffer } from './waiting.ts'

/** Entities of this area. */
export const entities = [
  EquipmentKind,
  Equipment,
  ServiceEquipment,
  ShiftPattern,
  StaffEvent,
  Desk,
  Appointment,
  Coupon,
  CouponService,
  LinePerformer,
  AppointmentMove,
  VisitChange,
  VisitReminder,
  GroupVisit,
  VisitScore,
  Hold,
  WaitingEntry,
  WaitingOffer,
] as const
