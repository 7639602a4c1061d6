import { Equipment, EquipmentKind, ServiceEquipment } from './equipment.ts'
import { ShiftPattern, StaffEvent } from './shift.ts'
import {
  Appointment,
  AppointmentMove,
  Coupon,
  CouponService,
  Desk,
  GroupVisit,
  Hold,
  LinePerformer,
  VisitChange,
  VisitReminder,
  VisitScore,
} from './visit.ts'
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
