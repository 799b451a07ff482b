CREATE TABLE `boards` (
	`application_id` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	`reports` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`application_id`, `id`),
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shares` (
	`hash` text PRIMARY KEY NOT NULL,
	`application_id` integer NOT NULL,
	`board_id` text,
	`report` text,
	`hosts` text NOT NULL,
	`password` text,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`attempts_since` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shares_by_application` ON `shares` (`application_id`);--> statement-breakpoint
ALTER TABLE `saved_questions` ADD `pinned` integer;