CREATE TABLE `dead_letters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`body` text NOT NULL,
	`put_aside_at` integer NOT NULL,
	`resend_at` integer
);
--> statement-breakpoint
CREATE TABLE `erasures` (
	`application_id` integer NOT NULL,
	`user_hash` blob NOT NULL,
	`erased_at` integer NOT NULL,
	`is_blocked` integer NOT NULL,
	PRIMARY KEY(`application_id`, `user_hash`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `fences` (
	`application_id` integer PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`application_id` integer NOT NULL,
	`kind` text NOT NULL,
	`progress` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `jobs_by_application` ON `jobs` (`application_id`);--> statement-breakpoint
ALTER TABLE `applications` ADD `databases` text DEFAULT '[1]' NOT NULL;