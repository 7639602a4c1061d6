import { StaffPhoto } from './photo.ts'
import { Role, UserPermission, UserRole } from './role.ts'
import { Speciality, User } from './user.ts'

/** Entities of this area. */
export const entities = [User, StaffPhoto, Speciality, Role, UserRole, UserPermission] as const
